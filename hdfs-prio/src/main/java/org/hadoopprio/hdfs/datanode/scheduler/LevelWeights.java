// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.hdfs.datanode.scheduler;

import java.util.Arrays;
import java.util.stream.Collectors;
import org.hadoopprio.IoPriority;

/** The weights of best-effort levels 0 to 7 in disk time. Immutable. */
final class LevelWeights {

  private static final int LEVELS = IoPriority.LOWEST_LEVEL + 1;
  private static final int MAX = 1000;

  private final int[] weights;

  private LevelWeights(int[] weights) {
    this.weights = weights;
  }

  /**
   * Reads the text form, eight numbers separated by commas.
   *
   * @throws IllegalArgumentException saying what is allowed
   */
  static LevelWeights parse(String text) {
    try {
      int[] weights =
          Arrays.stream(text.split(",", -1))
              .map(String::strip)
              .mapToInt(Integer::parseInt)
              .toArray();
      if (weights.length == LEVELS && Arrays.stream(weights).allMatch(w -> w >= 1 && w <= MAX)) {
        return new LevelWeights(weights);
      }
    } catch (NumberFormatException e) {
      // Reported below, together with numbers out of range.
    }
    throw new IllegalArgumentException(
        "allowed: " + LEVELS + " numbers from 1 to " + MAX + ", separated by commas");
  }

  int of(int level) {
    return weights[level];
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof LevelWeights && Arrays.equals(weights, ((LevelWeights) other).weights);
  }

  @Override
  public int hashCode() {
    return Arrays.hashCode(weights);
  }

  @Override
  public String toString() {
    return Arrays.stream(weights).mapToObj(Integer::toString).collect(Collectors.joining(","));
  }
}
