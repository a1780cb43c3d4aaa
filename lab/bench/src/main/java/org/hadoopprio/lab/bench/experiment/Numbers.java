// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.lab.bench.experiment;

import java.util.Locale;

/** Numbers for people. */
public final class Numbers {

  private static final int MAX_DECIMALS = 4;
  private static final double MIN_SAMPLES_BEYOND = 10;

  private Numbers() {}

  /** At least two digits that count, and whole numbers whole: 0.0123, 1.57, 23.4, 188. */
  public static String text(double value) {
    if (value == Math.rint(value)) {
      return fixed(value, 0);
    }
    double size = Math.abs(value);
    return fixed(value, size >= 100 ? 0 : size >= 10 ? 1 : size >= 1 ? 2 : size >= 0.1 ? 3 : 4);
  }

  /** Three digits, and no more than two decimals: 0.01, 1.50, 23.4, 188. */
  public static String threeDigits(double value) {
    double size = Math.abs(value);
    return fixed(value, size >= 100 ? 0 : size >= 10 ? 1 : 2);
  }

  /** How many decimals show two digits of an interval's half width. */
  static int decimals(double halfWidth, double mean) {
    double size = halfWidth > 0 ? halfWidth : Math.abs(mean) / 100;
    int digits = size > 0 ? 1 - (int) Math.floor(Math.log10(size)) : 0;
    return Math.max(0, Math.min(MAX_DECIMALS, digits));
  }

  /** A number of decimals that is given. */
  public static String fixed(double value, int decimals) {
    return String.format(Locale.ROOT, "%." + decimals + "f", value);
  }

  /**
   * Whether a percentile has at least 10 samples beyond it; one with fewer is chance and is not
   * shown.
   *
   * @param percent 0 to 100
   */
  public static boolean isKnown(double percent, double samples) {
    return samples * (100 - percent) / 100 >= MIN_SAMPLES_BEYOND * (1 - 1e-9);
  }
}
