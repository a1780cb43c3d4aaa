// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.lab.bench.experiment;

import java.util.List;
import org.apache.commons.math3.distribution.TDistribution;
import org.apache.commons.math3.stat.descriptive.DescriptiveStatistics;

/**
 * A mean of repeated measurements with the 95 % confidence interval (Student's t).
 *
 * @param count how many values
 * @param low the interval's lower end
 * @param high the interval's upper end
 */
public record Estimate(int count, double mean, double low, double high) {
  private static final double USUAL = 0.95;

  /**
   * The mean of values.
   *
   * @throws IllegalArgumentException if there are none
   */
  public static Estimate of(List<Double> values) {
    return of(values, USUAL);
  }

  /**
   * The same with another interval.
   *
   * @param confidence 0 to 1
   */
  public static Estimate of(List<Double> values, double confidence) {
    if (values.isEmpty()) {
      throw new IllegalArgumentException("no values, no mean");
    }
    DescriptiveStatistics statistics = new DescriptiveStatistics();
    values.forEach(statistics::addValue);
    int n = values.size();
    double mean = statistics.getMean();
    double halfWidth =
        n < 2
            ? 0
            : new TDistribution(n - 1).inverseCumulativeProbability((1 + confidence) / 2)
                * statistics.getStandardDeviation()
                / Math.sqrt(n);
    return new Estimate(n, mean, mean - halfWidth, mean + halfWidth);
  }

  /** That of the values times a factor, which is greater than 0. */
  public Estimate times(double factor) {
    return new Estimate(count, mean * factor, low * factor, high * factor);
  }

  /** Whether the interval is known, which takes two values. */
  public boolean hasInterval() {
    return count > 1;
  }

  /** Half the width of the interval; 0 for a single value, whose interval is not known. */
  public double halfWidth() {
    return (high - low) / 2;
  }

  /** For tables: {@code 12.3 ± 0.45}; the mean alone where the interval is not known. */
  public String plusMinus() {
    String text = Numbers.threeDigits(mean);
    return hasInterval() ? text + " ± " + Numbers.threeDigits(halfWidth()) : text;
  }

  /** For sentences: {@code 0.982 (0.961 to 1.004)}, with the digits that the interval allows. */
  @Override
  public String toString() {
    if (!hasInterval()) {
      return Numbers.text(mean);
    }
    int decimals = Numbers.decimals(halfWidth(), mean);
    return Numbers.fixed(mean, decimals)
        + " ("
        + Numbers.fixed(low, decimals)
        + " to "
        + Numbers.fixed(high, decimals)
        + ")";
  }
}
