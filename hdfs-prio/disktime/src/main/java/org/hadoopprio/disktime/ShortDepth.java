// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.disktime;

import java.util.concurrent.TimeUnit;

/**
 * How many short reads and syncs are at a disk together. Of many a drive picks the nearest; but
 * whoever goes before others waits for those that are at the drive already. So there are few while
 * such come: real-time reads, and of the same tenant reads with a latency target, syncs, and reads
 * of several weights. Guarded by the lock. Times are nanoseconds of one monotonic clock.
 */
final class ShortDepth {

  /** More would hardly be faster, and a turn of a stream waits for all of them. */
  static final int MOST = 16;

  /** While some go before others. */
  static final int IN_ORDER = 4;

  /** For how long those that go before others are expected to come again. */
  static final long ORDER_NANOS = TimeUnit.SECONDS.toNanos(10);

  private final RealtimeSigns signs;

  ShortDepth(RealtimeSigns signs) {
    this.signs = signs;
  }

  /**
   * The most that are at the disk together.
   *
   * @param reads of the tenant whose turn it is
   */
  int of(ShortReads reads, long now) {
    boolean inOrder = now - signs.progressAt < ORDER_NANOS || reads.areInOrder(now);
    return inOrder ? IN_ORDER : MOST;
  }
}
