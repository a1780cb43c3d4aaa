// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.lab.bench.experiment;

import com.fasterxml.jackson.databind.JsonNode;

/** What one cell has measured. Immutable. */
public final class CellResult {

  private final Cell cell;
  private final JsonNode measured;

  /** Pairs a cell with what {@link Experiment#run} returned for it. */
  public CellResult(Cell cell, JsonNode measured) {
    this.cell = cell;
    this.measured = measured;
  }

  public Cell cell() {
    return cell;
  }

  /** Everything measured. */
  public JsonNode measured() {
    return measured;
  }

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
