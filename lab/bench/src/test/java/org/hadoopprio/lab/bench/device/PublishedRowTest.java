// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.lab.bench.device;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PublishedRowTest {

  private static ObjectNode row() {
    return new ObjectMapper()
        .createObjectNode()
        .put("source", "a manual")
        .put("what", "stream of reads")
        .put("unit", "MB/s")
        .put("ours", 214.0)
        .put("gated", true)
        .put("is_published", true)
        .put("published", 200.0)
        .put("tolerance", 0.1);
  }

  @Test
  void aRowIsReproducedWithinItsTolerance() {
    PublishedRow row = PublishedRow.of(row());
    assertTrue(row.reproduced(219) && !row.reproduced(221) && !row.reproduced(179));
  }

  @Test
  void whatIsNotPublishedNeedsNoNumber() {
    ObjectNode json = row().put("is_published", false).put("gated", false);
    json.remove("published");
    json.remove("tolerance");
    assertFalse(PublishedRow.of(json).isPublished);
  }

  @ParameterizedTest
  @CsvSource({
    "source, a text",
    "what, a text",
    "unit, a text",
    "ours, a number",
    "published, a number",
    "tolerance, a number"
  })
  void aHoleIsRefused(String field, String allowed) {
    ObjectNode json = row();
    json.remove(field);
    assertEquals(
        String.format(
            "calibration, row \"%s\": \"%s\" is ; allowed is %s",
            field.equals("what") ? "" : "stream of reads", field, allowed),
        assertThrows(IllegalArgumentException.class, () -> PublishedRow.of(json)).getMessage());
  }

  @Test
  void aGateWithoutANumberIsRefused() {
    ObjectNode json = row().put("is_published", false);
    String message =
        assertThrows(IllegalArgumentException.class, () -> PublishedRow.of(json)).getMessage();
    assertTrue(message.contains("gated"), message);
  }
}
