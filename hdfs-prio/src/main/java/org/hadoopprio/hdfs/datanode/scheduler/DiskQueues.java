// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.hdfs.datanode.scheduler;

import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
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
  private final Map<Set<Path>, SharedDisk> disks = new HashMap<>();

  /**
   * The queue for a volume, which is the one of the volumes on the same disks that are there
   * already. It has the name of the first of them.
   *
   * @param name of the volume
   * @param streams how many may have a turn together; that of the first volume counts
   */
  synchronized VolumeQueue join(
      Volume volume, String name, BlockDevice device, int streams, SchedulerLimits limits) {
    disks.values().removeIf(each -> each.queue() == null);
    SharedDisk disk = disks.computeIfAbsent(device.disks(), found -> new SharedDisk());
    disk.join(volume, device);
    VolumeQueue queue = disk.queue();
    if (queue == null) {
      queue =
          new VolumeQueue(
              name,
              limits,
              streams,
              new RunningClock(System::nanoTime),
              new KernelQueue(
                  disk::inFlight, disk::readAheadBytes, disk::cachesWrites, System::nanoTime),
              disk::isInForce);
      disk.setQueue(queue);
    } else if (!queue.volume().equals(name)) {
      LOG.info(
          "Volume {} is on the disk of volume {}, and its reads take turns with those of that one",
          name,
          queue.volume());
    }
    return queue;
  }
}
