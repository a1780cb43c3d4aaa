// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.hdfs.datanode.scheduler;

import java.util.concurrent.TimeUnit;

/**
 * How often whoever's client has no time left may read without a turn, on one disk: so that nobody
 * passes the shares by a short time-out. A leaky bucket. Thread-safe.
 */
final class HastyReads {

  /** Each takes a disk that seeks some 20 ms, so all of them have a fifth of it. */
  private static final long EACH_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

  private static final long CREDIT_NANOS = TimeUnit.SECONDS.toNanos(1);

  /** The answer to whom all that is left would be too late. */
  static final long TOO_LATE = Long.MAX_VALUE;

  private long next = Long.MIN_VALUE;

  /**
   * When one may go that comes now; the time is then its own, until {@link #giveBack}.
   *
   * @param now in nanoseconds
   * @param last later is too late for it
   * @return not before {@code now}; {@link #TOO_LATE} if it has none
   */
  synchronized long next(long now, long last) {
    long at = Math.max(now, next);
    if (at > last) {
      return TOO_LATE;
    }
    next = Math.max(next, now - CREDIT_NANOS) + EACH_NANOS;
    return at;
  }

  /** One that had a time does not need it: others go earlier. */
  synchronized void giveBack() {
    next -= EACH_NANOS;
  }
}
