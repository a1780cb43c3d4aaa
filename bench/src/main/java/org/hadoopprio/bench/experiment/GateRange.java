package org.hadoopprio.bench.experiment;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;

/** The least and greatest values that a validity gate had over all cells. */
final class GateRange {

  private GateRange() {}

  /**
   * Gathers the gates.
   *
   * @param cells with the gate at {@code /measured/gate}, an object of numbers and truth values,
   *     also nested; cells without one are passed over
   * @return for each value {@code {cells, least, greatest}}; false counts as 0 and true as 1
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
      range.put("least", Math.min(number, range.path("least").asDouble(number)));
      range.put("greatest", Math.max(number, range.path("greatest").asDouble(number)));
    }
  }
}
