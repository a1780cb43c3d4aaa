// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.policy;

import java.util.Collection;
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
 *
 * <p>Nothing is less than idle. So at a cap for idle calls wait before they are served; what is
 * served above its rate all the same, as the many operations of one call, is owed by those that
 * wait.
 */
public final class ClassCap {

  /** The largest limit that is accepted; a larger one would not limit anything. */
  static final int MAX_COUNT = 1_000_000;

  private static final long SECOND_NANOS = TimeUnit.SECONDS.toNanos(1);

  /** Half of the time that a client of HBase waits for a call by default. */
  private static final long MAX_DEBT_NANOS = TimeUnit.SECONDS.toNanos(30);

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
   * @param ioClass real-time, best-effort or idle
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

  /** The priority of a request above the cap: be:0 for real-time, be:7 for best-effort, idle. */
  static IoPriority above(IoClass ioClass) {
    if (ioClass == IoClass.IDLE) {
      return IoPriority.IDLE;
    }
    return IoPriority.bestEffort(ioClass == IoClass.REALTIME ? 0 : IoPriority.LOWEST_LEVEL);
  }

  /**
   * Admits a request, to be followed by {@link #release}; returns false if the cap is reached.
   *
   * @param counted gets this cap if its rate has counted the request, admitted or not
   */
  boolean tryAcquire(Collection<ClassCap> counted) {
    if (!tryEnter()) {
      return false;
    }
    if (intervalNanos > 0 && !takeToken(counted)) {
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

  private boolean takeToken(Collection<ClassCap> counted) {
    long now = nanoClock.getAsLong();
    while (true) {
      long full = fullAt.get();
      long next = (full - now < 0 ? now : full) + intervalNanos;
      boolean isWithin = next - now <= SECOND_NANOS;
      if (!isWithin && (!isWaitedFor() || next - now > MAX_DEBT_NANOS)) {
        return false;
      }
      if (fullAt.compareAndSet(full, next)) {
        counted.add(this);
        return isWithin;
      }
    }
  }

  private boolean isWaitedFor() {
    return ioClass == IoClass.IDLE;
  }

  /**
   * Counts a call that is to wait for a thread and be served there, to be followed by {@link
   * #releaseReserved}; returns false if not all of it could be served within the cap. A call at
   * idle, which has waited, is counted when it is to be served; then one token is enough, or else a
   * large one would wait for ever.
   *
   * @param operations of the call, which are served one after the other
   */
  boolean tryReserve(int operations) {
    boolean isWithin = isWithin(operations, reserved.incrementAndGet());
    if (!isWithin) {
      releaseReserved();
    }
    return isWithin;
  }

  /** Whether {@link #tryReserve} would count a call now. Changes nothing. */
  boolean canReserve(int operations) {
    return isWithin(operations, reserved.get() + 1);
  }

  private boolean isWithin(int operations, int calls) {
    boolean hasPlace =
        concurrent == 0 || (calls <= concurrent && (isWaitedFor() || inside.get() < concurrent));
    int needed = isWaitedFor() ? 1 : Math.max(operations, calls);
    return hasPlace && (intervalNanos == 0 || needed <= tokens());
  }

  /** Gives back what the rate has counted for a request that was denied before it read anything. */
  void giveTokenBack() {
    fullAt.addAndGet(-intervalNanos);
  }

  /** How long until the rate has a token, in nanoseconds; 0 if it has one now. */
  long nanosUntilToken() {
    return Math.max(0, nanosUntilFull() - (SECOND_NANOS - intervalNanos));
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
    return (SECOND_NANOS - nanosUntilFull()) / intervalNanos;
  }

  private long nanosUntilFull() {
    return Math.max(0, fullAt.get() - nanoClock.getAsLong());
  }

  /** Gives back the place of an admitted request that has been served. */
  void release() {
    if (concurrent > 0) {
      inside.decrementAndGet();
    }
  }
}
