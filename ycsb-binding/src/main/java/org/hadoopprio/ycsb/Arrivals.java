package org.hadoopprio.ycsb;

import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;

/** The moments at which one thread's operations arrive: a Poisson process. Used by one thread. */
public final class Arrivals {

  private static final double SECOND_NANOS = TimeUnit.SECONDS.toNanos(1);

  /** Far apart, so that no thread of one seed has the generator of another seed's thread. */
  private static final long SEED_DISTANCE = 1_000_003;

  private final double perSecond;
  private final SplittableRandom random;
  private final long start;
  private double sinceStart;

  /**
   * Arrivals from a moment on.
   *
   * @param perSecond the mean rate of this thread, above 0
   * @param startNanos of {@link System#nanoTime}, or any other clock in nanoseconds
   */
  public Arrivals(double perSecond, long seed, int thread, long startNanos) {
    if (!(perSecond > 0)) {
      throw new IllegalArgumentException("a rate is above 0 a second, not " + perSecond);
    }
    this.perSecond = perSecond;
    this.random = new SplittableRandom(seed * SEED_DISTANCE + thread);
    this.start = startNanos;
  }

  /** The next arrival, in the terms of the clock; it may have passed. */
  public long nextNanos() {
    // The inverse of the exponential distribution's function; 1 - [0, 1) is never 0.
    sinceStart += -Math.log(1 - random.nextDouble()) / perSecond * SECOND_NANOS;
    return start + (long) sinceStart;
  }
}
