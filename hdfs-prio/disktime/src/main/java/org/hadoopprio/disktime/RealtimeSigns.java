// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.disktime;

import java.util.concurrent.TimeUnit;

/**
 * What turns heed of real-time reads. {@link RealtimeReads} writes it with the lock; whoever has a
 * turn reads it without. Times are nanoseconds of one monotonic clock.
 */
final class RealtimeSigns {

  /** How long real-time counts as coming after its last read. */
  private static final long RECENT_NANOS = TimeUnit.SECONDS.toNanos(1);

  /** Over this time {@link #part} is an average: over some runs and pauses of real-time. */
  private static final double PART_NANOS = TimeUnit.SECONDS.toNanos(2);

  /** Whether a real-time read is at the disk, or opens its files. */
  volatile boolean present;

  /** When a real-time read last came to the disk or left it. */
  volatile long progressAt;

  /** Until then the disk is kept for the reader that has just left ({@link KeptDisk}). */
  volatile long keptUntil = Long.MIN_VALUE;

  /** About the part of the last seconds in which real-time had the disk, 0 to 1. */
  volatile double part;

  /** The shortest turn of a stream while real-time reads come. */
  volatile long leastTurnNanos = TurnLength.MIN_TURN_NANOS;

  /** When the reads that are held have to begin, or {@link Long#MAX_VALUE}. */
  volatile long heldDueAt = Long.MAX_VALUE;

  RealtimeSigns(long now) {
    // The longest for which anybody remembers one that has come.
    progressAt = now - ShortDepth.ORDER_NANOS;
  }

  /** Real-time had the disk for some nanoseconds of the last ones. */
  void had(long nanos, long ofNanos) {
    double before = part;
    double weight = Math.min(1, ofNanos / PART_NANOS);
    part = ofNanos <= 0 ? before : before + weight * ((double) nanos / ofNanos - before);
  }

  /** Whether real-time reads come to the disk at present. */
  boolean isRecent(long now) {
    return now - progressAt < RECENT_NANOS;
  }
}
