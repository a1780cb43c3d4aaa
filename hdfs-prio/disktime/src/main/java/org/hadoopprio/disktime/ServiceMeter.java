// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.disktime;

import java.util.concurrent.TimeUnit;

/**
 * Measures what a disk needs for single real-time reads and for turns of streams. Not thread-safe,
 * but for what is said to be: guarded by the lock.
 */
final class ServiceMeter {

  /** So many of the latest samples count, older ones less and less. */
  private static final int SAMPLES = 256;

  private final Average read = new Average();
  private final Average open = new Average();
  private final Average turn = new Average();
  private final Average turnBytes = new Average();

  /** What the disk transfers in a nanosecond; 0 if that is not known. Read without the lock. */
  private volatile double bytesPerNano;

  /** Exponentially weighted mean and variance; of the first samples the plain ones. */
  private static final class Average {
    private long count;
    private double mean;
    private double variance;

    void add(double sample) {
      count++;
      double gain = 1.0 / Math.min(count, SAMPLES);
      double error = sample - mean;
      mean += gain * error;
      variance = (1 - gain) * (variance + gain * error * error);
    }
  }

  /**
   * A real-time read was at the disk without another one.
   *
   * @param openNanos what it needed before to open its files
   */
  void read(long nanos, long openNanos) {
    read.add((double) nanos);
    open.add((double) openNanos);
  }

  /** A turn of a stream, which has read from the disk, was not interrupted. */
  void turn(long nanos, long bytes) {
    turn.add((double) nanos);
    turnBytes.add((double) bytes);
    bytesPerNano = DiskCosts.rate(turn.mean, turnBytes.mean);
  }

  /**
   * About what the disk needs to write as much as this, in nanoseconds; 0 if that is not known.
   * Thread-safe.
   */
  long writeNanos(long bytes) {
    double rate = bytesPerNano;
    return rate == 0 ? 0 : DiskCosts.LONE_WAY_NANOS + (long) (bytes / rate);
  }

  ServiceTimes times() {
    return new ServiceTimes(
        read.count,
        micros(read.mean),
        micros(Math.sqrt(read.variance)),
        micros(open.mean),
        turn.count,
        micros(turn.mean),
        Math.round(turnBytes.mean));
  }

  private static long micros(double nanos) {
    return TimeUnit.NANOSECONDS.toMicros(Math.round(nanos));
  }
}
