// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.policy;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import org.hadoopprio.IoClass;
import org.hadoopprio.IoPriority;

/**
 * Limits how many requests of a class are served concurrently and per second. Thread-safe, without
 * locks.
 *
 * <p>The rate is enforced by a token bucket that holds one second's tokens (at least one).
 */
public final class ClassCap {

  /** The largest limit that is accepted; a larger one would not limit anything. */
  static final int MAX_COUNT = 1_000_000;

  private static final long SECOND_NANOS = TimeUnit.SECONDS.toNanos(1);

  private final IoClass ioClass;
  private final int concurrent;
  private final int rate;
  private final long intervalNanos;
  private final LongSupplier nanoClock;
  private final AtomicInteger inside = new AtomicInteger();

  /** Calls that wait for a thread, or are served by it. */
  private final AtomicInteger reserved = new AtomicInteger();

  /** When the bucket is full again, on the clock. */
  private final AtomicLong fullAt;

  /**
   * Makes a cap.
   *
   * @param ioClass real-time or best-effort
   * @param concurrent the limit of concurrent requests, 1 or more; 0 for no limit
   * @param rate the limit of requests per second, 1 or more; 0 for no limit
   */
  ClassCap(IoClass ioClass, int concurrent, int rate, LongSupplier nanoClock) {
    this.ioClass = ioClass;
    this.concurrent = concurrent;
    this.rate = rate;
    this.intervalNanos = rate == 0 ? 0 : SECOND_NANOS / rate;
    this.nanoClock = nanoClock;
    this.fullAt = new AtomicLong(nanoClock.getAsLong());
  }

  IoClass ioClass() {
    return ioClass;
  }

  /** The priority of a request above the cap: be:0 for real-time, be:7 for best-effort. */
  static IoPriority above(IoClass ioClass) {
    return IoPriority.bestEffort(ioClass == IoClass.REALTIME ? 0 : IoPriority.LOWEST_LEVEL);
  }

  /** Admits a request, to be followed by {@link #release}; returns false if the cap is reached. */
  boolean tryAcquire() {
    if (!tryEnter()) {
      return false;
    }
    if (intervalNanos > 0 && !takeToken()) {
      release();
      return false;
    }
    return true;
  }

  /** The same for a request that the rate has counted before. */
  boolean tryEnter() {
    if (concurrent > 0 && inside.incrementAndGet() > concurrent) {
      inside.decrementAndGet();
      return false;
    }
    return true;
  }

  private boolean takeToken() {
    long now = nanoClock.getAsLong();
    while (true) {
      long full = fullAt.get();
      long next = (full - now < 0 ? now : full) + intervalNanos;
      if (next - now > SECOND_NANOS) {
        return false;
      }
      if (fullAt.compareAndSet(full, next)) {
        return true;
      }
    }
  }

  /**
   * Counts a call that is to wait for a thread and be served there, to be followed by {@link
   * #releaseReserved}; returns false if not all of it could be served within the cap.
   *
   * @param operations of the call, which are served one after the other
   */
  boolean tryReserve(int operations) {
    int calls = reserved.incrementAndGet();
    boolean isWithin =
        (concurrent == 0 || (calls <= concurrent && inside.get() < concurrent))
            && (intervalNanos == 0 || Math.max(operations, calls) <= tokens());
    if (!isWithin) {
      releaseReserved();
    }
    return isWithin;
  }

  void releaseReserved() {
    reserved.decrementAndGet();
  }

  /** The limits, for people. */
  @Override
  public String toString() {
    return "class "
        + ioClass.shortName()
        + (concurrent > 0 ? ", " + concurrent + " at a time" : "")
        + (rate > 0 ? ", " + rate + " a second" : "");
  }

  private long tokens() {
    long untilFull = Math.max(0, fullAt.get() - nanoClock.getAsLong());
    return (SECOND_NANOS - untilFull) / intervalNanos;
  }

  /** Gives back the place of an admitted request that has been served. */
  void release() {
    if (concurrent > 0) {
      inside.decrementAndGet();
    }
  }
}
