package org.hadoopprio.ycsb;

import java.util.Properties;
import java.util.concurrent.TimeUnit;
import site.ycsb.DB;
import site.ycsb.WorkloadException;
import site.ycsb.measurements.Measurements;
import site.ycsb.workloads.CoreWorkload;

/**
 * YCSB's core workload as an open loop: operations arrive at random moments, whether earlier ones
 * are done or not, as those of many independent users do (a Poisson process).
 *
 * <p>Each thread has arrivals of its own at an equal part of the rate. An operation that arrives
 * while its thread is busy waits and is never dropped; its intended start is its arrival, so the
 * series {@code Intended-READ} counts that wait ({@code measurement.interval=both}). Give it so
 * many threads that they are seldom busy, and no {@code -target}.
 *
 * <p>The properties are described in the binding's README.
 */
public final class PoissonWorkload extends CoreWorkload {

  /** Arrivals per second, of all threads together; required. */
  public static final String RATE_PROPERTY = "arrivalrate";

  /** The seed of the arrivals: equal seeds give equal arrivals. */
  public static final String SEED_PROPERTY = "arrivalseed";

  private static final String SEED_DEFAULT = "0";

  /** A sleeping thread looks this often whether the run is to end. */
  private static final long STOP_CHECK_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

  private double rate;
  private long seed;

  /**
   * Reads the properties.
   *
   * @throws WorkloadException when one is not allowed; the message names it, its value and what is
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
      throw new WorkloadException(notAllowed(RATE_PROPERTY, text, "a number over 0"), e);
    }
    if (!(value > 0) || Double.isInfinite(value)) {
      throw new WorkloadException(notAllowed(RATE_PROPERTY, text, "a number over 0"));
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

  /** The thread's arrivals; YCSB hands them to {@link #doTransaction}. */
  @Override
  public Object initThread(Properties properties, int thread, int threads)
      throws WorkloadException {
    super.initThread(properties, thread, threads);
    return new Arrivals(rate / threads, seed, thread, System.nanoTime());
  }

  /** Waits for the next arrival and does its operation; false when the run is to end. */
  @Override
  public boolean doTransaction(DB db, Object threadstate) {
    long arrival = ((Arrivals) threadstate).nextNanos();
    if (!sleepUntil(arrival)) {
      return false;
    }
    Measurements.getMeasurements().setIntendedStartTimeNs(arrival);
    return super.doTransaction(db, threadstate);
  }

  /** Whether that moment was reached before the run was to end. */
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
