// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.hdfs.datanode.scheduler;

import java.util.concurrent.TimeUnit;

/**
 * What a sequential real-time read is charged at least: what streams, too, need for as much. The
 * kernel reads ahead while the read's thread is not at the disk. Guarded by the volume's lock.
 */
final class SequentialCharge {

  /** The bytes for which {@link #nanos} are charged. */
  private static final double PART_BYTES = ScheduledRead.REALTIME_BYTES;

  /** How many times that the longest part has. */
  private static final double MAX_PARTS = ScheduledRead.CONTINUED_BYTES / PART_BYTES;

  /**
   * The charge for {@link #PART_BYTES} as long as no stream has had a turn: the time in which a
   * hard disk reads that on its outer tracks, at 240 MB/s.
   */
  static final long PART_NANOS = TimeUnit.MICROSECONDS.toNanos(1_090);

  /** The most: a turn in which the disk hung shows nothing. */
  private static final double MAX_PART_NANOS = 8.0 * PART_NANOS;

  private double nanos = PART_NANOS;

  /** What real-time was charged since the last part of a sequential read, at most the longest's. */
  private long charged;

  /** A stream has read so much in a turn that was not interrupted. */
  void turn(long turnNanos, long bytes) {
    double part = Math.min(turnNanos * PART_BYTES / bytes, MAX_PART_NANOS);
    nanos += (part - nanos) / 8;
  }

  /** Real-time was charged for the time in which it had the disk. */
  void charged(long taken) {
    charged = Math.min(charged + taken, (long) (nanos * MAX_PARTS));
  }

  /** What is still to be charged for so many bytes, in nanoseconds. */
  long owed(long bytes) {
    long owed = Math.max(0, (long) (nanos * bytes / PART_BYTES) - charged);
    charged = 0;
    return owed;
  }
}
