// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.ycsb;

import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;

/** The arrival times of one thread's operations: a Poisson process. Used by one thread. */
public final class Arrivals {

  private static final double SECOND_NANOS = TimeUnit.SECONDS.toNanos(1);

  /** Keeps the generators of different seeds apart, whatever the number of threads. */
  private static final long SEED_DISTANCE = 1_000_003;

  private final double perSecond;
  private final SplittableRandom random;
  private final long start;
  private double sinceStart;

  /**
   * Creates arrivals that begin at a given time.
   *
   * @param perSecond the mean rate of this thread in arrivals per second, above 0
   * @param startNanos the start, by {@link System#nanoTime} or any other clock in nanoseconds
   */
  public Arrivals(double perSecond, long seed, int thread, long startNanos) {
    if (!(perSecond > 0)) {
      throw new IllegalArgumentException(
          "the rate must be above 0 per second, but is " + perSecond);
    }
    this.perSecond = perSecond;
    this.random = new SplittableRandom(seed * SEED_DISTANCE + thread);
    this.start = startNanos;
  }

  /** The time of the next arrival by the clock of the start; it may be in the past. */
  public long nextNanos() {
    // The inverse of the exponential distribution function; 1 - [0, 1) is never 0.
    sinceStart += -Math.log(1 - random.nextDouble()) / perSecond * SECOND_NANOS;
    return start + (long) sinceStart;
  }
}
