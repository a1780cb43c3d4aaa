// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.lab.bench.experiment;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;

/** One measurement of an experiment: a combination of factors, and its repetition. Immutable. */
public final class Cell {

  private final Map<String, String> factors;
  private final int repetition;
  private final double expectedSeconds;

  /**
   * Describes a measurement.
   *
   * @param factors what is varied, such as {@code system=stock}, in the order the id names them;
   *     values are letters, digits, {@code -}, {@code .} and {@code _} only
   * @param repetition 1 or more
   * @param expectedSeconds how long it is expected to take; used to show the time left
   */
  public Cell(Map<String, String> factors, int repetition, double expectedSeconds) {
    for (String value : factors.values()) {
      if (!value.matches("[A-Za-z0-9._-]+")) {
        throw new IllegalArgumentException("invalid value of a factor: \"" + value + "\"");
      }
    }
    if (repetition < 1) {
      throw new IllegalArgumentException("a repetition must be 1 or more, not " + repetition);
    }
    this.factors = Collections.unmodifiableMap(new LinkedHashMap<>(factors));
    this.repetition = repetition;
    this.expectedSeconds = expectedSeconds;
  }

  /** Unique in the experiment and valid as a file name: {@code open_streams16_stock_r1}. */
  public String id() {
    return String.join("_", factors.values()) + "_r" + repetition;
  }

  /** What is varied, in order. */
  public Map<String, String> factors() {
    return factors;
  }

  /**
   * The value of one factor.
   *
   * @throws IllegalArgumentException if the cell has no such factor
   */
  public String factor(String name) {
    String value = factors.get(name);
    if (value == null) {
      throw new IllegalArgumentException("no factor " + name + " in " + factors);
    }
    return value;
  }

  /** Which repetition of the combination this is, from 1. */
  public int repetition() {
    return repetition;
  }

  /** How long it is expected to take, in seconds. */
  public double expectedSeconds() {
    return expectedSeconds;
  }

  @Override
  public String toString() {
    return id();
  }
}
