package org.hadoopprio.policy;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import org.hadoopprio.IoClass;
import org.hadoopprio.IoPriority;

/**
 * How many requests of a class may be served at a time and in a second. Thread-safe, without locks.
 *
 * <p>The rate is that of a token bucket that holds one second's worth (at least one request).
 */
public final class ClassCap {

  /** The largest number that may be written; more would be no cap. */
  static final int MOST = 1_000_000;

  private static final long SECOND_NANOS = TimeUnit.SECONDS.toNanos(1);

  private final IoClass ioClass;
  private final int concurrent;
  private final long intervalNanos;
  private final LongSupplier nanoClock;
  private final AtomicInteger inside = new AtomicInteger();

  /** When the bucket is full again, on the clock. */
  private final AtomicLong fullAt;

  /**
   * Makes a cap.
   *
   * @param ioClass real-time or best-effort
   * @param concurrent how many at a time, 1 or more; 0 for any number
   * @param rate how many a second, 1 or more; 0 for any number
   */
  ClassCap(IoClass ioClass, int concurrent, int rate, LongSupplier nanoClock) {
    this.ioClass = ioClass;
    this.concurrent = concurrent;
    this.intervalNanos = rate == 0 ? 0 : SECOND_NANOS / rate;
    this.nanoClock = nanoClock;
    this.fullAt = new AtomicLong(nanoClock.getAsLong());
  }

  IoClass ioClass() {
    return ioClass;
  }

  /** What a request above the cap gets: be:0 for real-time, be:7 for best-effort. */
  static IoPriority above(IoClass ioClass) {
    return IoPriority.bestEffort(ioClass == IoClass.REALTIME ? 0 : IoPriority.LOWEST_LEVEL);
  }

  /** Lets a request in, which {@link #leave} must follow, or says that the cap is reached. */
  boolean enter() {
    if (concurrent > 0 && inside.incrementAndGet() > concurrent) {
      inside.decrementAndGet();
      return false;
    }
    if (intervalNanos > 0 && !takeToken()) {
      leave();
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

  /** A request that was let in has been served. */
  void leave() {
    if (concurrent > 0) {
      inside.decrementAndGet();
    }
  }
}
