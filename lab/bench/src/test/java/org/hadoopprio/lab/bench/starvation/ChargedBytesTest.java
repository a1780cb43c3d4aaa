// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.lab.bench.starvation;

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

  @Test
  void theIncreaseOfEachClassStandsBesideWhatTheDriveHasRead() throws IOException {
    ObjectNode result =
        (ObjectNode)
            JSON.readTree(
                "{\"drives\":[{\"classes\":["
                    + "{\"class\":\"rt\",\"operation\":\"read\",\"bytes\":4000000},"
                    + "{\"class\":\"be\",\"operation\":\"read\",\"bytes\":8000000},"
                    + "{\"class\":\"be\",\"operation\":\"write\",\"bytes\":70},"
                    + "{\"class\":\"idle\",\"operation\":\"read\",\"bytes\":5}]}]}");
    charged(3_000_001, 8_000_010).addTo(result, charged(1, 10));
    JsonNode json = result.path("charged");
    assertEquals(3, json.at("/rt/charged_mb").asDouble());
    assertEquals(4, json.at("/rt/disk_mb").asDouble());
    assertEquals(0.75, json.at("/rt/of_disk").asDouble());
    assertEquals(1, json.at("/be/of_disk").asDouble());
    assertEquals(2, json.size());
  }

  @Test
  void withoutAChargeThereIsNothingToCompare() throws IOException {
    ObjectNode result =
        (ObjectNode)
            JSON.readTree(
                "{\"drives\":[{\"classes\":[{\"class\":\"rt\",\"operation\":\"read\","
                    + "\"bytes\":4000000}]}]}");
    charged(5, 6).addTo(result, charged(5, 6));
    assertTrue(result.path("charged").isEmpty());
  }
}
