package org.hadoopprio;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import org.slf4j.Logger;

/**
 * A warning that something outside can cause at will: written at most once a minute, with the
 * number left out since. Thread-safe.
 */
public final class RateLimitedLog {

  private static final long INTERVAL_NANOS = TimeUnit.MINUTES.toNanos(1);

  private final Logger log;
  private final AtomicLong nextNanos = new AtomicLong(System.nanoTime());
  private final LongAdder leftOut = new LongAdder();

  public RateLimitedLog(Logger log) {
    this.log = log;
  }

  /** Writes the message, or counts it when one was written less than a minute ago. */
  public void warn(String message) {
    long now = System.nanoTime();
    long next = nextNanos.get();
    if (now - next >= 0 && nextNanos.compareAndSet(next, now + INTERVAL_NANOS)) {
      log.warn("{} ({} like it not logged before this one)", message, leftOut.sumThenReset());
    } else {
      leftOut.increment();
    }
  }
}
