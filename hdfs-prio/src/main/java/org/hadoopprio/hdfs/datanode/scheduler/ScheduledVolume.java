package org.hadoopprio.hdfs.datanode.scheduler;

import java.net.URI;
import java.nio.file.FileSystemException;
import java.nio.file.Path;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.FsVolumeSpi;
import org.hadoopprio.config.VolumeChoice;
import org.hadoopprio.linux.BlockDevice;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What is done with the reads of one volume, and its queue. Thread-safe. */
final class ScheduledVolume {

  private static final Logger LOG = LoggerFactory.getLogger(ScheduledVolume.class);

  private final SchedulerSettings settings;
  private final Path directory;

  /** Null if reads of this volume cannot be, or need not be, made to wait. */
  private final VolumeQueue queue;

  private volatile InForce inForce;

  /** The mode that follows from a setting. */
  private static final class InForce {
    final VolumeChoice<SchedulerMode> setting;
    final SchedulerMode mode;

    InForce(VolumeChoice<SchedulerMode> setting, SchedulerMode mode) {
      this.setting = setting;
      this.mode = mode;
    }
  }

  private ScheduledVolume(SchedulerSettings settings, Path directory, VolumeQueue queue) {
    this.settings = settings;
    this.directory = directory;
    this.queue = queue;
  }

  static ScheduledVolume of(FsVolumeSpi volume, SchedulerSettings settings) {
    URI uri = volume.getBaseURI();
    Path directory = uri == null || !"file".equals(uri.getScheme()) ? null : Path.of(uri);
    VolumeQueue queue = directory == null ? null : queue(directory, settings);
    return new ScheduledVolume(settings, directory, queue);
  }

  private static VolumeQueue queue(Path directory, SchedulerSettings settings) {
    BlockDevice device;
    try {
      device = BlockDevice.of(directory);
    } catch (FileSystemException e) {
      LOG.warn(
          "Reads of volume {} do not wait for their turn, because its block device is not known: {}",
          directory,
          e.getMessage());
      return null;
    }
    int streams = settings.streams();
    if (streams == 0) {
      if (!device.isRotational()) {
        LOG.info(
            "Reads of volume {} do not wait for their turn, because {} does not rotate",
            directory,
            device.name());
        return null;
      }
      streams = Math.max(1, device.disks());
    }
    LOG.info(
        "On volume {}, on {}, {} stream(s) read at a time in mode turns",
        directory,
        device.name(),
        streams);
    return new VolumeQueue(
        directory.toString(),
        settings.limits(),
        streams,
        System::nanoTime,
        new OtherRequests(device));
  }

  /** The mode in force. */
  @SuppressWarnings("ReferenceEquality") // A changed setting is another object.
  SchedulerMode mode() {
    VolumeChoice<SchedulerMode> setting = settings.modes();
    InForce now = inForce;
    if (now == null || now.setting != setting) {
      SchedulerMode wanted = directory == null ? SchedulerMode.ORDER : setting.of(directory);
      boolean possible = wanted != SchedulerMode.TURNS || queue != null;
      now = new InForce(setting, possible ? wanted : SchedulerMode.ORDER);
      inForce = now;
    }
    return now.mode;
  }

  /** The queue that reads pass; null if they do not wait. */
  VolumeQueue queue() {
    return mode() == SchedulerMode.TURNS ? queue : null;
  }
}
