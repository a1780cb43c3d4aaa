// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.lab.bench.experiment;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * One measurement of an experiment: a combination of factors, and its repetition.
 *
 * @param factors what is varied, such as {@code system=stock}, in the order the id names them;
 *     values are letters, digits, {@code -}, {@code .} and {@code _} only
 * @param repetition which repetition of the combination this is, from 1
 * @param expectedSeconds how long it is expected to take; used to show the time left
 */
public record Cell(Map<String, String> factors, int repetition, double expectedSeconds) {
  public Cell {
    for (String value : factors.values()) {
      if (!value.matches("[A-Za-z0-9._-]+")) {
        throw new IllegalArgumentException("invalid value of a factor: \"" + value + "\"");
      }
    }
    if (repetition < 1) {
      throw new IllegalArgumentException("a repetition must be 1 or more, not " + repetition);
    }
    factors = Collections.unmodifiableMap(new LinkedHashMap<>(factors));
  }

  /** Unique in the experiment and valid as a file name: {@code open_stock_r1}. */
  public String id() {
    return String.join("_", factors.values()) + "_r" + repetition;
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

  @Override
  public String toString() {
    return id();
  }
}
