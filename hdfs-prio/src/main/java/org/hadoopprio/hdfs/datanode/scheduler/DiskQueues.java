// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.hdfs.datanode.scheduler;

import java.lang.ref.WeakReference;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import org.hadoopprio.linux.BlockDevice;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The queues of one DataNode's disks: all volumes on the same disks have one, because a disk has
 * one time to share, however many directories lie on it. Disks that volumes have in common only in
 * part are not found. Thread-safe.
 */
final class DiskQueues {

  private static final Logger LOG = LoggerFactory.getLogger(DiskQueues.class);

  /** By the disks. The volumes keep their queue, so one that was removed leaves nothing here. */
  private final Map<Set<Path>, Disk> disks = new HashMap<>();

  /** The volumes on a disk, or on some that are always used together. Thread-safe. */
  private static final class Disk {
    private final List<WeakReference<ScheduledVolume>> volumes = new CopyOnWriteArrayList<>();
    private final List<BlockDevice> devices = new CopyOnWriteArrayList<>();
    private WeakReference<VolumeQueue> queue = new WeakReference<>(null);

    void join(ScheduledVolume volume, BlockDevice device) {
      volumes.removeIf(each -> each.get() == null);
      volumes.add(new WeakReference<>(volume));
      if (devices.stream().noneMatch(each -> each.isSameAs(device))) {
        devices.add(device);
      }
    }

    boolean isInForce() {
      for (WeakReference<ScheduledVolume> each : volumes) {
        ScheduledVolume volume = each.get();
        if (volume != null && volume.isInForce()) {
          return true;
        }
      }
      return false;
    }

    /** Of all logical volumes that are in use; one does not count what is sent to another. */
    BlockDevice.InFlight inFlight() {
      int reads = 0;
      int writes = 0;
      for (BlockDevice each : devices) {
        BlockDevice.InFlight requests = each.inFlight();
        reads += requests.reads();
        writes += requests.writes();
      }
      return new BlockDevice.InFlight(reads, writes);
    }
  }

  /**
   * The queue for a volume, which is the one of the volumes on the same disks that are there
   * already. It has the name of the first of them.
   *
   * @param name of the volume
   * @param streams how many may have a turn together; that of the first volume counts
   */
  synchronized VolumeQueue join(
      ScheduledVolume volume,
      String name,
      BlockDevice device,
      int streams,
      SchedulerLimits limits) {
    disks.values().removeIf(each -> each.queue.get() == null);
    Disk disk = disks.computeIfAbsent(device.disks(), found -> new Disk());
    disk.join(volume, device);
    VolumeQueue queue = disk.queue.get();
    if (queue == null) {
      queue =
          new VolumeQueue(
              name,
              limits,
              streams,
              new RunningClock(System::nanoTime),
              new KernelQueue(
                  disk::inFlight,
                  () -> device.readAheadBytes(DeviceQueue.USUAL_READ_AHEAD_BYTES),
                  System::nanoTime),
              disk::isInForce);
      disk.queue = new WeakReference<>(queue);
    } else if (!queue.volume().equals(name)) {
      LOG.info(
          "Volume {} is on the disk of volume {}, and its reads take turns with those of that one",
          name,
          queue.volume());
    }
    return queue;
  }
}
