package org.hadoopprio.bench.experiment;

import java.util.Locale;

/** Numbers for people. */
public final class Numbers {

  private Numbers() {}

  /** At least two digits that count, and whole numbers whole: 0.0123, 1.57, 23.4, 188. */
  public static String text(double value) {
    if (value == Math.rint(value)) {
      return String.format(Locale.ROOT, "%.0f", value);
    }
    double size = Math.abs(value);
    int decimals = size >= 100 ? 0 : size >= 10 ? 1 : size >= 1 ? 2 : size >= 0.1 ? 3 : 4;
    return String.format(Locale.ROOT, "%." + decimals + "f", value);
  }
}
