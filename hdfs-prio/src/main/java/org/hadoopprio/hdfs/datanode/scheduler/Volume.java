// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.hdfs.datanode.scheduler;

import java.net.URI;
import java.nio.file.FileSystemException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import org.hadoopprio.IoClass;
import org.hadoopprio.IoPriority;
import org.hadoopprio.config.VolumeChoice;
import org.hadoopprio.config.VolumeMode;
import org.hadoopprio.linux.BlockDevice;
import org.hadoopprio.metrics.QueueStatus;
import org.hadoopprio.metrics.VolumeStatus;
import org.hadoopprio.off.AgentModule;
import org.hadoopprio.off.OffSwitch;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A volume of a DataNode: what is done with its reads and writes, and the queue of its disk. What
 * belongs to no volume, or to one that is not known, has one, too. Thread-safe.
 */
public final class Volume {

  private static final Logger LOG = LoggerFactory.getLogger(Volume.class);

  private final SchedulerSettings settings;

  /** Or else it stands for what belongs to none. */
  private final boolean known;

  /** Null if it is not a local directory. */
  private final Path directory;

  /** Empty if it is not known. */
  private final String device;

  /** How many streams have a turn together; 0 if reads of this volume cannot be made to wait. */
  private final int streams;

  /** Why reads of this volume cannot, or need not, be made to wait; empty if they can. */
  private final String obstacle;

  /** Null if reads of this volume cannot be, or need not, be made to wait. */
  private final VolumeQueue queue;

  private final ObservedReads observed;

  private volatile Wanted wanted;

  /** The mode that a setting wants for this volume. */
  private static final class Wanted {
    final VolumeChoice<VolumeMode> setting;
    final VolumeMode mode;

    Wanted(VolumeChoice<VolumeMode> setting, VolumeMode mode) {
      this.setting = setting;
      this.mode = mode;
    }
  }

  private Volume(SchedulerSettings settings) {
    this.settings = settings;
    known = false;
    directory = null;
    device = "";
    streams = 0;
    obstacle = "it is not known";
    observed = new ObservedReads(() -> 0);
    queue = null;
  }

  private Volume(SchedulerSettings settings, URI uri) {
    this.settings = settings;
    this.known = true;
    this.directory = uri != null && "file".equals(uri.getScheme()) ? Path.of(uri) : null;
    BlockDevice found = null;
    String problem = "it is not a local directory";
    if (directory != null) {
      try {
        found = BlockDevice.of(directory);
      } catch (FileSystemException e) {
        problem = "its block device is not known: " + e.getReason();
      }
    }
    if (found == null) {
      device = "";
      streams = 0;
      obstacle = problem;
      LOG.warn("Reads of volume {} do not wait for their turn: {}", uri, obstacle);
    } else {
      device = found.name();
      streams = streams(found, settings.streams());
      obstacle = streams == 0 ? device + " does not rotate" : "";
      LOG.info(
          "On volume {}, on {}, {}",
          directory,
          device + " (" + found.layout() + ")",
          !canTakeTurns()
              ? "reads do not wait for their turn, because " + obstacle()
              : "the mode is "
                  + mode()
                  + "; in mode turns "
                  + streams
                  + " stream(s) read at a time");
    }
    observed = new ObservedReads(() -> canTakeTurns() ? streams : 0);
    queue =
        streams == 0
            ? null
            : settings.queues().join(this, directory.toString(), found, streams, settings.limits());
  }

  private static int streams(BlockDevice device, int wanted) {
    return wanted == 0 && device.isRotational() ? device.heads() : wanted;
  }

  /** What belongs to no volume, or to one that is not known. */
  static Volume unknown(SchedulerSettings settings) {
    return new Volume(settings);
  }

  static Volume of(URI uri, SchedulerSettings settings) {
    return new Volume(settings, uri);
  }

  private boolean canTakeTurns() {
    return streams > 0 && !TurnHooks.areOff();
  }

  private String obstacle() {
    if (OffSwitch.isOff(AgentModule.DATANODE)) {
      return OffSwitch.reason();
    }
    return TurnHooks.areOff() ? TurnHooks.OBSTACLE : obstacle;
  }

  /** Whether it is not known. */
  boolean isUnknown() {
    return !known;
  }

  SchedulerSettings settings() {
    return settings;
  }

  /** The mode in force. A request asks when it is admitted, and with each packet. */
  public VolumeMode mode() {
    if (OffSwitch.isOff(AgentModule.DATANODE)) {
      return VolumeMode.OFF;
    }
    VolumeMode mode = wanted();
    return mode == VolumeMode.TURNS && !canTakeTurns() ? VolumeMode.ORDER : mode;
  }

  @SuppressWarnings("ReferenceEquality") // A changed setting is another object.
  private VolumeMode wanted() {
    if (!known) {
      return settings.withoutVolume();
    }
    VolumeChoice<VolumeMode> setting = settings.modes();
    Wanted now = wanted;
    if (now == null || now.setting != setting) {
      now = new Wanted(setting, setting.of(directory));
      wanted = now;
    }
    return now.mode;
  }

  /** Whether reads of this volume take turns now; those of another on its disk may. */
  boolean isInForce() {
    return mode() == VolumeMode.TURNS;
  }

  /** The queue of the disk, which reads pass; null if they do not wait. */
  VolumeQueue queue() {
    return isInForce() ? queue : null;
  }

  /** The queue of the disk whatever the mode is; null if reads cannot be made to wait. */
  VolumeQueue disk() {
    return queue;
  }

  /** Whether a latency target is heeded in that mode, or would be in mode turns. */
  public boolean heedsTargets(VolumeMode mode) {
    return mode == VolumeMode.TURNS || (mode == VolumeMode.OBSERVE && canTakeTurns());
  }

  /**
   * A read begins that is stock, in mode {@link VolumeMode#OBSERVE}.
   *
   * @param priority what it would have; null for none
   * @return to be run when the read ends
   */
  public Runnable observe(BlockRead what, IoPriority priority) {
    IoClass ioClass = priority == null ? IoClass.NONE : priority.ioClass();
    return observed.begins(ioClass, what.length());
  }

  /** Null for a volume that is not a local directory. */
  Path directory() {
    return directory;
  }

  /** Its status where it is the only volume that is shown. */
  VolumeStatus status() {
    return status(new HashMap<>());
  }

  /**
   * What is done with its reads now; null for a volume that is not a local directory.
   *
   * @param shown the directories by queues that are shown already; takes this one's
   */
  VolumeStatus status(Map<VolumeQueue, String> shown) {
    if (directory == null) {
      return null;
    }
    QueueStatus now = queue == null ? QueueStatus.NONE : queue.status();
    String first = queue == null ? null : shown.putIfAbsent(queue, directory.toString());
    QueueStatus before =
        queue == null || first != null
            ? QueueStatus.NONE
            : queue.shown().shows(directory.toString(), now);
    VolumeMode inForce = mode();
    VolumeMode asked = wanted();
    return new VolumeStatus(
            directory.toString(),
            asked.toString(),
            inForce.toString(),
            inForce == asked ? "" : obstacle(),
            device,
            first == null ? directory.toString() : first,
            streams,
            settings.limits().realtimeShare(),
            now,
            observed.status())
        .shownBefore(before);
  }
}
