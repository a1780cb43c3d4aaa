// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.lab.bench.experiment;

import com.fasterxml.jackson.databind.JsonNode;

/**
 * What one cell has measured.
 *
 * @param measured everything measured
 */
public record CellResult(Cell cell, JsonNode measured) {
  /**
   * One measured number.
   *
   * @param path a JSON pointer, such as {@code /gets/p95_ms}
   * @throws IllegalArgumentException if there is no number at that place
   */
  public double number(String path) {
    JsonNode value = measured.at(path);
    if (!value.isNumber()) {
      throw new IllegalArgumentException(cell + " has no number at " + path);
    }
    return value.doubleValue();
  }
}
