// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.log;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Supplier;
import org.slf4j.Logger;

/**
 * A log for warnings that clients can cause at will: at most one line a minute is written, with the
 * number of suppressed ones. A line that cannot be written, because there is no memory for it for
 * instance, is lost, and whoever warns goes on. Thread-safe.
 */
public final class RateLimitedLog {

  private static final long INTERVAL_NANOS = TimeUnit.MINUTES.toNanos(1);

  private final Logger log;
  private final AtomicLong nextNanos = new AtomicLong(System.nanoTime());
  private final LongAdder leftOut = new LongAdder();

  public RateLimitedLog(Logger log) {
    this.log = log;
  }

  /** Writes the message, or only counts it if another was written less than a minute ago. */
  public void warn(String message) {
    warn(() -> message);
  }

  /**
   * The same for a message that costs something to make.
   *
   * @param message asked for only if it is written
   */
  public void warn(Supplier<String> message) {
    long now = System.nanoTime();
    long next = nextNanos.get();
    if (now - next >= 0 && nextNanos.compareAndSet(next, now + INTERVAL_NANOS)) {
      write(message);
    } else {
      leftOut.increment();
    }
  }

  private void write(Supplier<String> message) {
    try {
      log.warn(
          "{} ({} similar messages suppressed)",
          Printable.line(message.get()),
          leftOut.sumThenReset());
    } catch (RuntimeException | Error e) {
      leftOut.increment();
    }
  }
}
