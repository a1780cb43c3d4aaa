// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.metrics;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import org.apache.hadoop.metrics2.lib.MutableQuantiles;

/** Requests that this process served in one I/O class. Thread-safe. */
public final class ClassMetrics {

  /** The interval of the quantiles. */
  static final int QUANTILES_SECONDS = 60;

  private final LongAdder requests = new LongAdder();
  private final LongAdder bytes = new LongAdder();

  /** Null until it is published, because the quantiles need a thread that resets them. */
  private volatile MutableQuantiles latency;

  ClassMetrics() {}

  /** The number of requests. */
  public LongAdder requests() {
    return requests;
  }

  /** The number of bytes sent to clients. */
  public LongAdder bytes() {
    return bytes;
  }

  /**
   * Counts a request that has been served.
   *
   * @param sent the number of bytes sent to the client
   * @param nanos the time it took, in nanoseconds
   */
  public void served(long sent, long nanos) {
    bytes.add(sent);
    MutableQuantiles shown = latency;
    if (shown != null) {
      shown.add(TimeUnit.NANOSECONDS.toMicros(nanos));
    }
  }

  /** The quantiles of the latency of requests from now on. */
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
