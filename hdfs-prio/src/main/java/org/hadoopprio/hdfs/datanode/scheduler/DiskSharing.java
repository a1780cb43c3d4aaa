// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.hdfs.datanode.scheduler;

import java.util.concurrent.TimeUnit;
import org.hadoopprio.disktime.DeviceQueue;
import org.hadoopprio.disktime.Disk;
import org.hadoopprio.disktime.RealtimeShare;

/** Who has used a disk in the last second, and so whether it is shared. Thread-safe. */
final class DiskSharing {

  private static final long SHARED_NANOS = TimeUnit.SECONDS.toNanos(1);

  private final Disk scheduler;
  private final DeviceQueue device;
  private final RealtimeReaders realtimeReaders = new RealtimeReaders();

  /** When another class than real-time last used the disk, or asked for it. */
  private volatile long lowerAt;

  /** When a read last had to wait, or came to other short ones, or a real-time read came. */
  private volatile long sharedAt;

  DiskSharing(Disk scheduler, DeviceQueue device, long now) {
    this.scheduler = scheduler;
    this.device = device;
    this.lowerAt = now - SHARED_NANOS;
    this.sharedAt = now - SHARED_NANOS;
  }

  /** Finds out what the kernel reads ahead; without any lock. */
  void refresh() {
    device.refresh();
  }

  /** The real-time reads that go on. */
  RealtimeReaders realtimeReaders() {
    return realtimeReaders;
  }

  /** Another class than real-time uses the disk, or asks for it. */
  void lowerCame(long now) {
    lowerAt = now;
  }

  /**
   * A read that shares the disk has come.
   *
   * @return whether it is the first one after a second
   */
  boolean readerCame(long now) {
    boolean first = !isShared(now);
    sharedAt = now;
    return first;
  }

  /** Whether more than a single stream has used the disk. */
  boolean isShared(long now) {
    return now - sharedAt < SHARED_NANOS;
  }

  /** Whether reads have; one that has it to itself counts as well. Needs the scheduler's lock. */
  boolean isRead(long now) {
    return isShared(now) || scheduler.isLowerRead();
  }

  /** Whether the disk may answer a write when it has only cached it. Without the lock. */
  boolean cachesWrites() {
    device.refresh();
    return device.cachesWrites();
  }

  /**
   * Whether a real-time read is beside others, who have used the disk or want it, or would wait for
   * what is read ahead of many.
   *
   * @param poolBytes what HDFS's pool reads ahead of it; 0 if nothing
   */
  boolean isBesideOthers(long now, long poolBytes) {
    return now - lowerAt < SHARED_NANOS
        || now - scheduler.othersSeenAt() < SHARED_NANOS
        || realtimeReaders.areMany(device.readAheadBytes(), poolBytes);
  }

  /**
   * The bytes of the next part of a sequential real-time read that has come so far. It is as much
   * as stock HDFS would read at once: less would make many such readers slower than without a
   * priority.
   */
  long partBytes(long come) {
    long most = RealtimeShare.sequentialBytes(device.readAheadBytes());
    return Math.max(ScheduledRead.CONTINUED_BYTES, Math.min(most, come));
  }
}
