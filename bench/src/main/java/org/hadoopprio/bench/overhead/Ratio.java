package org.hadoopprio.bench.overhead;

import java.util.List;
import java.util.Locale;
import org.hadoopprio.bench.experiment.Estimate;

/**
 * A ratio with its 95 % confidence interval, from the logarithms that rounds have given. Immutable.
 */
final class Ratio {

  private final Estimate logarithm;

  private Ratio(Estimate logarithm) {
    this.logarithm = logarithm;
  }

  static Ratio of(List<Double> logarithms) {
    return new Ratio(Estimate.of(logarithms));
  }

  double mean() {
    return Math.exp(logarithm.mean());
  }

  double low() {
    return Math.exp(logarithm.low());
  }

  double high() {
    return Math.exp(logarithm.high());
  }

  /** How many rounds. */
  int rounds() {
    return logarithm.count();
  }

  /** Whether there is an interval at all. */
  boolean hasInterval() {
    return rounds() >= OverheadSettings.LEAST_ROUNDS;
  }

  /** Half the interval's width, in per cent of the ratio 1. */
  double halfWidthPercent() {
    return (high() - low()) / 2 * 100;
  }

  /** How far the ratio is from 1, in per cent. */
  double changePercent() {
    return (mean() - 1) * 100;
  }

  @Override
  public String toString() {
    if (!hasInterval()) {
      return String.format(Locale.ROOT, "%.4f (no interval)", mean());
    }
    return String.format(Locale.ROOT, "%.4f (%.4f to %.4f)", mean(), low(), high());
  }
}
