// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.lab.workload;

/**
 * The measured time, on this process's {@link System#nanoTime}; the time before it is the ramp.
 * Immutable.
 */
final class MeasuredWindow {

  private final long startNanos;
  private final long endNanos;

  private MeasuredWindow(long startNanos, long endNanos) {
    this.startNanos = startNanos;
    this.endNanos = endNanos;
  }

  /** A window that begins in that many nanoseconds. */
  static MeasuredWindow after(long delayNanos, long lengthNanos) {
    return from(System.nanoTime() + delayNanos, lengthNanos);
  }

  /** A window that begins at a time of the clock. */
  static MeasuredWindow from(long startNanos, long lengthNanos) {
    return new MeasuredWindow(startNanos, startNanos + lengthNanos);
  }

  /**
   * A window that begins at a given time, so that several processes measure the same one.
   *
   * @param startMillis since the epoch
   * @throws IllegalArgumentException if that time has passed
   */
  static MeasuredWindow at(long startMillis, long lengthNanos) {
    long delay = startMillis - System.currentTimeMillis();
    if (delay < 0) {
      throw new IllegalArgumentException(
          "the measured time began " + -delay + " ms ago: this process started too late");
    }
    return after(delay * 1_000_000, lengthNanos);
  }

  /** Whether the window contains a time; its end is exclusive. */
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
