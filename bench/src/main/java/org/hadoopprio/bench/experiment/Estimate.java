package org.hadoopprio.bench.experiment;

import java.util.List;
import org.apache.commons.math3.distribution.TDistribution;
import org.apache.commons.math3.stat.descriptive.DescriptiveStatistics;

/** A mean of repeated measurements with the 95 % confidence interval (Student's t). Immutable. */
public final class Estimate {

  private static final double TWO_SIDED_95 = 0.975;

  private final int count;
  private final double mean;
  private final double halfWidth;

  private Estimate(int count, double mean, double halfWidth) {
    this.count = count;
    this.mean = mean;
    this.halfWidth = halfWidth;
  }

  /**
   * The mean of values.
   *
   * @throws IllegalArgumentException if there are none
   */
  public static Estimate of(List<Double> values) {
    if (values.isEmpty()) {
      throw new IllegalArgumentException("no values, no mean");
    }
    DescriptiveStatistics statistics = new DescriptiveStatistics();
    values.forEach(statistics::addValue);
    int n = values.size();
    double halfWidth =
        n < 2
            ? 0
            : new TDistribution(n - 1).inverseCumulativeProbability(TWO_SIDED_95)
                * statistics.getStandardDeviation()
                / Math.sqrt(n);
    return new Estimate(n, statistics.getMean(), halfWidth);
  }

  /** How many values. */
  public int count() {
    return count;
  }

  public double mean() {
    return mean;
  }

  /** Half the width of the interval; 0 for a single value, whose interval is not known. */
  public double halfWidth() {
    return halfWidth;
  }

  /** The interval's lower end. */
  public double low() {
    return mean - halfWidth;
  }

  /** The interval's upper end. */
  public double high() {
    return mean + halfWidth;
  }
}
