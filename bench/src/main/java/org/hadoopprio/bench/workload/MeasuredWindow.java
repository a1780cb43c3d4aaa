package org.hadoopprio.bench.workload;

/**
 * The stretch of time that counts, on this process's {@link System#nanoTime}. What happens before
 * it is the ramp. Immutable.
 */
final class MeasuredWindow {

  private final long startNanos;
  private final long endNanos;

  private MeasuredWindow(long startNanos, long endNanos) {
    this.startNanos = startNanos;
    this.endNanos = endNanos;
  }

  /** A stretch that begins in so many nanoseconds. */
  static MeasuredWindow after(long delayNanos, long lengthNanos) {
    long start = System.nanoTime() + delayNanos;
    return new MeasuredWindow(start, start + lengthNanos);
  }

  /**
   * A stretch that begins at a time of day, so that several processes of a machine measure the same
   * one.
   *
   * @param startMillis since the epoch
   * @throws IllegalArgumentException if that time is over
   */
  static MeasuredWindow at(long startMillis, long lengthNanos) {
    long delay = startMillis - System.currentTimeMillis();
    if (delay < 0) {
      throw new IllegalArgumentException(
          "the measured time began " + -delay + " ms ago: this process started too late");
    }
    return after(delay * 1_000_000, lengthNanos);
  }

  /** Whether a time is in it; the end is not. */
  boolean contains(long nanos) {
    return nanos - startNanos >= 0 && nanos - endNanos < 0;
  }

  boolean isOver(long nanos) {
    return nanos - endNanos >= 0;
  }

  long endNanos() {
    return endNanos;
  }

  long lengthNanos() {
    return endNanos - startNanos;
  }
}
