// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.lab.bench.experiment;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;

/** The range of each value of the validity gates over all cells. */
final class GateRange {

  private GateRange() {}

  /**
   * Gathers the gates.
   *
   * @param cells with the gate at {@code /measured/gate}, an object of numbers and truth values,
   *     also nested; cells without one are skipped
   * @return for each value {@code {cells, min, max}}; false counts as 0 and true as 1
   */
  static ObjectNode of(JsonNode cells) {
    ObjectNode ranges = new ObjectMapper().createObjectNode();
    for (JsonNode cell : cells) {
      add(ranges, "", cell.at("/measured/gate"));
    }
    return ranges;
  }

  private static void add(ObjectNode ranges, String name, JsonNode value) {
    if (value.isObject()) {
      value
          .fields()
          .forEachRemaining(
              field ->
                  add(
                      ranges,
                      name.isEmpty() ? field.getKey() : name + "." + field.getKey(),
                      field.getValue()));
    } else if (value.isNumber() || value.isBoolean()) {
      double number = value.isBoolean() ? (value.booleanValue() ? 1 : 0) : value.doubleValue();
      ObjectNode range = ranges.has(name) ? (ObjectNode) ranges.get(name) : ranges.putObject(name);
      range.put("cells", range.path("cells").asInt() + 1);
      range.put("min", Math.min(number, range.path("min").asDouble(number)));
      range.put("max", Math.max(number, range.path("max").asDouble(number)));
    }
  }
}
