package org.hadoopprio.metrics;

import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import org.HdrHistogram.Histogram;
import org.apache.hadoop.metrics2.lib.MutableQuantiles;
import org.apache.hadoop.metrics2.util.Quantile;
import org.apache.hadoop.metrics2.util.QuantileEstimator;

/**
 * Quantiles of latencies in microseconds, to 1 %, from a histogram: to add a value takes a few
 * nanoseconds, where Hadoop's own estimator takes microseconds of every read it counts. Values
 * above {@link #MOST_MICROS} count as that. Thread-safe.
 */
final class HistogramEstimator implements QuantileEstimator {

  /** No read takes as long: HDFS's clients give up before. */
  static final long MOST_MICROS = TimeUnit.HOURS.toMicros(1);

  private static final int DIGITS = 2;

  private final Histogram histogram = new Histogram(MOST_MICROS, DIGITS);

  @Override
  public synchronized void insert(long micros) {
    histogram.recordValue(Math.min(Math.max(micros, 0), MOST_MICROS));
  }

  /** The quantiles {@link MutableQuantiles} shows; null where there is no value, as it wants. */
  @Override
  public synchronized Map<Quantile, Long> snapshot() {
    if (histogram.getTotalCount() == 0) {
      return null;
    }
    Map<Quantile, Long> values = new TreeMap<>();
    for (Quantile quantile : MutableQuantiles.QUANTILES) {
      values.put(quantile, histogram.getValueAtPercentile(quantile.quantile * 100));
    }
    return values;
  }

  @Override
  public synchronized long getCount() {
    return histogram.getTotalCount();
  }

  @Override
  public synchronized void clear() {
    histogram.reset();
  }
}
