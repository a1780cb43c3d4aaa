package org.hadoopprio.metrics;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import org.apache.hadoop.metrics2.lib.MutableQuantiles;

/** What one server has done in one I/O class. Thread-safe. */
public final class ClassMetrics {

  /** Over how long the quantiles are taken. */
  static final int QUANTILES_SECONDS = 60;

  private final LongAdder requests = new LongAdder();
  private final LongAdder bytes = new LongAdder();

  /** Null until somebody shows it: the quantiles have a thread that turns them over. */
  private volatile MutableQuantiles latency;

  ClassMetrics() {}

  /** How many requests there were. */
  public LongAdder requests() {
    return requests;
  }

  /** How many bytes went to the clients. */
  public LongAdder bytes() {
    return bytes;
  }

  /**
   * A request has been served.
   *
   * @param sent how many bytes the client was sent
   * @param nanos how long it took
   */
  public void served(long sent, long nanos) {
    bytes.add(sent);
    MutableQuantiles shown = latency;
    if (shown != null) {
      shown.add(TimeUnit.NANOSECONDS.toMicros(nanos));
    }
  }

  /** The latency's quantiles, from now on. */
  synchronized MutableQuantiles latency(int seconds) {
    if (latency == null) {
      MutableQuantiles made =
          new MutableQuantiles(
              "latency", "the time to serve a request of this class", "ops", "micros", seconds);
      made.setEstimator(new HistogramEstimator());
      latency = made;
    }
    return latency;
  }
}
