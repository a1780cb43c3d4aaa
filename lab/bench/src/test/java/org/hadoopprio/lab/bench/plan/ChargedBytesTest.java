// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.lab.bench.plan;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import org.junit.jupiter.api.Test;

class ChargedBytesTest {

  private static final ObjectMapper JSON = new ObjectMapper();

  /** Two volumes: what is charged is the sum. */
  private static ChargedBytes charged(long realtime, long bestEffort) throws IOException {
    String volume =
        "{\"queue\":{\"realtime\":{\"diskBytes\":%d},\"bestEffort\":{\"diskBytes\":%d}}}";
    return new ChargedBytes(
        JSON.readTree(
            "{\"Volumes\":["
                + String.format(volume, realtime / 2, bestEffort)
                + ","
                + String.format(volume, realtime - realtime / 2, 0)
                + "]}"));
  }

  private static JsonNode figures(String drives, ChargedBytes before, ChargedBytes after)
      throws IOException {
    ObjectNode json = JSON.createObjectNode();
    after.addTo(json, before, JSON.readTree(drives));
    return json;
  }

  @Test
  void theIncreaseOfEachClassStandsBesideWhatTheDriveHasRead() throws IOException {
    JsonNode json =
        figures(
            "[{\"classes\":["
                + "{\"class\":\"rt\",\"operation\":\"read\",\"bytes\":4000000},"
                + "{\"class\":\"be\",\"operation\":\"read\",\"bytes\":8000000},"
                + "{\"class\":\"be\",\"operation\":\"write\",\"bytes\":70},"
                + "{\"class\":\"idle\",\"operation\":\"read\",\"bytes\":5}]}]",
            charged(1, 10),
            charged(3_000_001, 8_000_010));
    assertEquals(3, json.path("rt_charged_mb").asDouble());
    assertEquals(4, json.path("rt_mb").asDouble());
    assertEquals(8, json.path("be_charged_mb").asDouble());
    assertEquals(8, json.path("be_mb").asDouble());
    assertEquals(ChargedBytes.FIGURES.size(), json.size());
  }

  @Test
  void withoutAChargeThereIsNothingToCompare() throws IOException {
    JsonNode json =
        figures(
            "[{\"classes\":[{\"class\":\"rt\",\"operation\":\"read\",\"bytes\":4000000}]}]",
            charged(5, 6),
            charged(5, 6));
    assertTrue(json.isEmpty());
  }
}
