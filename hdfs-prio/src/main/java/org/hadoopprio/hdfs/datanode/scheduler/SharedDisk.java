// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.hdfs.datanode.scheduler;

import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.hadoopprio.disktime.DeviceQueue;
import org.hadoopprio.linux.BlockDevice;

/**
 * The volumes on a disk, or on some disks that are always used together, and what the kernel knows
 * of the devices that they are on. A volume that was removed is forgotten when the JVM's garbage
 * collector finds it. Thread-safe.
 */
final class SharedDisk {

  private final List<Member> members = new CopyOnWriteArrayList<>();
  private volatile WeakReference<VolumeQueue> queue = new WeakReference<>(null);

  /** A volume, and the device of its file system. */
  private static final class Member {
    private final WeakReference<Volume> volume;
    private final BlockDevice device;

    Member(Volume volume, BlockDevice device) {
      this.volume = new WeakReference<>(volume);
      this.device = device;
    }
  }

  /** A volume has come. */
  void join(Volume volume, BlockDevice device) {
    members.removeIf(each -> each.volume.get() == null);
    members.add(new Member(volume, device));
  }

  /** The queue of all; null before it was made, and when the volumes are gone that had it. */
  VolumeQueue queue() {
    return queue.get();
  }

  void setQueue(VolumeQueue made) {
    queue = new WeakReference<>(made);
  }

  /** Whether reads of any of the volumes take turns at present. */
  boolean isInForce() {
    for (Member each : members) {
      Volume volume = each.volume.get();
      if (volume != null && volume.isInForce()) {
        return true;
      }
    }
    return false;
  }

  /**
   * Requests in flight on the devices of all volumes. One does not count what is sent to another,
   * but for those that it lies on, as a logical volume on a disk of which a partition is another
   * volume.
   */
  BlockDevice.InFlight inFlight() {
    int reads = 0;
    int writes = 0;
    List<BlockDevice> devices = devices();
    for (BlockDevice each : devices) {
      if (devices.stream().noneMatch(each::liesOn)) {
        BlockDevice.InFlight requests = each.inFlight();
        reads += requests.reads();
        writes += requests.writes();
      }
    }
    return new BlockDevice.InFlight(reads, writes);
  }

  /** How far the kernel reads ahead, in bytes; where it differs, the most. */
  long readAheadBytes() {
    return devices().stream()
        .mapToLong(each -> each.readAheadBytes(DeviceQueue.USUAL_READ_AHEAD_BYTES))
        .max()
        .orElse(DeviceQueue.USUAL_READ_AHEAD_BYTES);
  }

  /** Whether one of the devices may answer a write when it has only cached it. */
  boolean cachesWrites() {
    return devices().stream().anyMatch(BlockDevice::cachesWrites);
  }

  private List<BlockDevice> devices() {
    List<BlockDevice> found = new ArrayList<>();
    for (Member each : members) {
      if (each.volume.get() != null && found.stream().noneMatch(each.device::isSameAs)) {
        found.add(each.device);
      }
    }
    return found;
  }
}
