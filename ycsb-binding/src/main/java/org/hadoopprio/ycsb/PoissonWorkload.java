// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.ycsb;

import java.util.Properties;
import java.util.concurrent.TimeUnit;
import site.ycsb.DB;
import site.ycsb.WorkloadException;
import site.ycsb.measurements.Measurements;
import site.ycsb.workloads.CoreWorkload;

/**
 * YCSB's core workload as an open loop. Operations arrive at random times (a Poisson process), like
 * those of many independent users, whether or not earlier ones are done.
 *
 * <p>Each thread has arrivals of its own at an equal share of the rate. An operation that arrives
 * while its thread is busy waits and is never dropped. Its intended start is its arrival, so the
 * series {@code Intended-READ} includes the wait ({@code measurement.interval=both}). Use enough
 * threads that they are seldom busy, and do not use {@code -target}.
 *
 * <p>The binding's README describes the properties.
 */
public final class PoissonWorkload extends CoreWorkload {

  /** The arrivals per second of all threads together; required. */
  public static final String RATE_PROPERTY = "arrivalrate";

  /** The seed of the arrivals: equal seeds give equal arrivals. */
  public static final String SEED_PROPERTY = "arrivalseed";

  private static final String SEED_DEFAULT = "0";

  /** How often a sleeping thread checks whether the run should end. */
  private static final long STOP_CHECK_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

  private double rate;
  private long seed;

  /**
   * Reads the properties.
   *
   * @throws WorkloadException if one is invalid; the message names it, its value and what is
   *     allowed
   */
  @Override
  public void init(Properties properties) throws WorkloadException {
    super.init(properties);
    rate = rate(properties);
    seed = seed(properties);
  }

  private static double rate(Properties properties) throws WorkloadException {
    String text = properties.getProperty(RATE_PROPERTY, "");
    double value;
    try {
      value = Double.parseDouble(text);
    } catch (NumberFormatException e) {
      throw new WorkloadException(notAllowed(RATE_PROPERTY, text, "a number above 0"), e);
    }
    if (!(value > 0) || Double.isInfinite(value)) {
      throw new WorkloadException(notAllowed(RATE_PROPERTY, text, "a number above 0"));
    }
    return value;
  }

  private static long seed(Properties properties) throws WorkloadException {
    String text = properties.getProperty(SEED_PROPERTY, SEED_DEFAULT);
    try {
      return Long.parseLong(text);
    } catch (NumberFormatException e) {
      throw new WorkloadException(notAllowed(SEED_PROPERTY, text, "a whole number"), e);
    }
  }

  private static String notAllowed(String property, String value, String allowed) {
    return "property " + property + " = \"" + value + "\" is not allowed; allowed: " + allowed;
  }

  /** Creates the thread's arrivals; YCSB passes them to {@link #doTransaction}. */
  @Override
  public Object initThread(Properties properties, int thread, int threads)
      throws WorkloadException {
    super.initThread(properties, thread, threads);
    return new Arrivals(rate / threads, seed, thread, System.nanoTime());
  }

  /** Waits for the next arrival and runs its operation; returns false if the run should end. */
  @Override
  public boolean doTransaction(DB db, Object threadstate) {
    long arrival = ((Arrivals) threadstate).nextNanos();
    if (!sleepUntil(arrival)) {
      return false;
    }
    Measurements.getMeasurements().setIntendedStartTimeNs(arrival);
    return super.doTransaction(db, threadstate);
  }

  /** Sleeps until a time; returns false if the run should end before. */
  private boolean sleepUntil(long nanoTime) {
    for (long left = nanoTime - System.nanoTime(); left > 0; left = nanoTime - System.nanoTime()) {
      if (isStopRequested()) {
        return false;
      }
      try {
        TimeUnit.NANOSECONDS.sleep(Math.min(left, STOP_CHECK_NANOS));
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        return false;
      }
    }
    return true;
  }
}
