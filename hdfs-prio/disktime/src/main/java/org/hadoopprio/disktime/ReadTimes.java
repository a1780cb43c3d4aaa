// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.disktime;

import java.util.concurrent.TimeUnit;

/**
 * How long real-time reads of a disk take now, for the question whether the next one would be too
 * late. A disk that is slow or hangs shows by a read that has been there for long: the next one is
 * expected to take as long as that has so far. When it has been answered, its time counts, and
 * later a new read tries the disk. What that takes replaces what is known: the reads before it are
 * as old, and a disk that has recovered is to be used again.
 *
 * <p>Not thread-safe: guarded by the lock.
 */
final class ReadTimes {

  static final long TRY_MILLIS = 1_000;
  static final long LAST_TRY_MILLIS = 10_000;

  /** Reads that try a slow disk are at it for at most about this part of the time. */
  static final int TRY_PART = 10;

  private static final long TRY_NANOS = TimeUnit.MILLISECONDS.toNanos(TRY_MILLIS);
  private static final long LAST_TRY_NANOS = TimeUnit.MILLISECONDS.toNanos(LAST_TRY_MILLIS);

  /** Of the latest reads; a single one that takes long does not make the disk a slow one. */
  private double meanNanos = -1;

  /** When a read was last answered. */
  private long answeredAt;

  /** When a read was last answered, or let in to try. */
  private long triedAt;

  /** The last that was let in to try; null if it has left. */
  private Claim trying;

  /** A read has been answered after so long at the disk. */
  void add(long nanos, long now) {
    boolean first = meanNanos < 0 || now - answeredAt >= TRY_NANOS;
    meanNanos = first ? nanos : meanNanos + (nanos - meanNanos) / 4;
    answeredAt = now;
    triedAt = now;
  }

  /**
   * A read is gone, or waits no more. The next one may try the disk if this one has not used it.
   */
  void gone(Claim claim) {
    if (claim == trying) {
      trying = null;
      triedAt = claim.realtime.usedDisk ? triedAt : answeredAt;
    }
  }

  /**
   * How long a read that comes now is expected to take, if that is longer than what is left for it;
   * otherwise 0. Both in nanoseconds.
   *
   * @param oldestNanos for how long the read has been at the disk that is there for longest
   */
  long lateNanos(Claim claim, long leftNanos, long oldestNanos, long now) {
    if (oldestNanos > leftNanos) {
      return oldestNanos;
    }
    if (meanNanos <= leftNanos) {
      return 0;
    }
    long pause = Math.min(TRY_PART * (long) meanNanos, LAST_TRY_NANOS);
    if (now - triedAt >= Math.max(pause, TRY_NANOS)) {
      triedAt = now;
      trying = claim;
      return 0;
    }
    return (long) meanNanos;
  }
}
