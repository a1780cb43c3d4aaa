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

  private long next = Long.MIN_VALUE;

  /** Whether one may go at {@code now}, in nanoseconds; then it counts. */
  synchronized boolean take(long now) {
    if (next > now) {
      return false;
    }
    next = Math.max(next, now - CREDIT_NANOS) + EACH_NANOS;
    return true;
  }
}
