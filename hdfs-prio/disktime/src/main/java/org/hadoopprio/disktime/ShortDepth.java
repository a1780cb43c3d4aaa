// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.disktime;

import java.util.concurrent.TimeUnit;

/**
 * How many short reads and syncs of a tenant are at a disk together. Of many a drive picks the
 * nearest; but whoever goes before others waits for those that are at the drive already. So there
 * are few, for {@link #ORDER_NANOS} after the last of those that go before them: real-time reads
 * and reads with a latency target, whoever's they are, and of the tenant itself reads and syncs of
 * a greater weight than all that wait now. Guarded by the lock. Times are nanoseconds of one
 * monotonic clock.
 */
final class ShortDepth {

  /** More would hardly be faster, and a turn of a stream waits for all of them. */
  static final int MOST = 16;

  /** While some go before others. */
  static final int IN_ORDER = 4;

  /** For how long those that go before others are expected to come again. */
  static final long ORDER_NANOS = TimeUnit.SECONDS.toNanos(10);

  private final RealtimeSigns signs;
  private long targetsUntil = Long.MIN_VALUE;

  /** None has come. */
  ShortDepth(RealtimeSigns signs) {
    this.signs = signs;
  }

  /** A read that is not real-time asks. */
  void asked(Claim claim) {
    if (claim.hasDeadline()) {
      targetsUntil = claim.askedAt + ORDER_NANOS;
    }
  }

  /**
   * The most that are at the disk together.
   *
   * @param reads that wait, of the tenant whose turn it is
   */
  int of(ShortReads reads, long now) {
    return isInOrder(reads, now) ? IN_ORDER : MOST;
  }

  /** Whether some go before others. */
  boolean isInOrder(ShortReads reads, long now) {
    boolean targets = now < targetsUntil && now < reads.dueAt();
    return now - signs.progressAt < ORDER_NANOS || targets || reads.areOutweighed(now);
  }
}
