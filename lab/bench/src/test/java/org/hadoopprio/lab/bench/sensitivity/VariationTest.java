// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.lab.bench.sensitivity;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class VariationTest {

  private static final String KEYS =
      "[{'key':'rpm','value':'7200','why':'all are'},"
          + "{'key':'mode','value':'ncq'},"
          + "{'key':'segments','value':'16','low':'1','high':'128','why':'manuals'}]";

  private static JsonNode json(String text) throws IOException {
    return new ObjectMapper().readTree(text.replace('\'', '"'));
  }

  @Test
  void whatHasARangeIsVaried() throws IOException {
    List<Variation> all = Variation.of(json(KEYS));
    assertEquals("[segments=1..128]", all.toString());
    assertEquals("16", all.get(0).value());
    assertEquals("manuals", all.get(0).why());
  }

  @Test
  void anEndCanChangeOthersToo() throws IOException {
    Variation seek =
        Variation.of(
                json(
                    "[{'key':'seek_avg_ns','value':'7ms','low':'6ms','high':'8ms seek_max_ns=16ms',"
                        + "'why':'manuals'}]"))
            .get(0);
    assertEquals(List.of("seek_avg_ns=6ms"), seek.assignments(seek.low()));
    assertEquals(List.of("seek_avg_ns=8ms", "seek_max_ns=16ms"), seek.assignments(seek.high()));
  }

  @ParameterizedTest
  @ValueSource(strings = {"'low':'1','high':'128',", "'low':'1','why':'manuals',", "'high':'9',"})
  void aRangeWithAHoleIsRefused(String fields) throws IOException {
    JsonNode keys = json("[{'key':'segments'," + fields + "'value':'16'}]");
    String message =
        assertThrows(IllegalArgumentException.class, () -> Variation.of(keys)).getMessage();
    assertTrue(message.contains("segments") && message.contains("is missing"), message);
  }

  @Test
  void aUsersRangeIsForAnyParameter() throws IOException {
    Variation stated = Variation.parse("rpm=7160..7240", json(KEYS));
    assertEquals("rpm=7160..7240", stated.toString());
    assertEquals("7200", stated.value());
    assertEquals("0.2..1.5", Variation.parse("rpm=0.2..1.5", json(KEYS)).toString().substring(4));
  }

  @ParameterizedTest
  @ValueSource(strings = {"rpm", "rpm=7160", "rpm=7160..", "=1..2", "rpms=1..2", "rpm=1-2"})
  void anythingElseIsRefused(String text) throws IOException {
    JsonNode keys = json(KEYS);
    String message =
        assertThrows(IllegalArgumentException.class, () -> Variation.parse(text, keys))
            .getMessage();
    assertTrue(message.contains(text) && message.contains("allowed is KEY=LOW..HIGH"), message);
  }
}
