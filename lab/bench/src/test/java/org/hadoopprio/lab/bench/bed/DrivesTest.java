// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.lab.bench.bed;

import static org.junit.jupiter.api.Assertions.assertEquals;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class DrivesTest {

  private static ObjectNode drive(double latest, String... reasons) {
    ObjectNode drive = new ObjectMapper().createObjectNode();
    drive.putObject("lateness_ms").put("p99.9", latest);
    ArrayNode all = drive.putArray("reasons");
    for (String reason : reasons) {
      all.add(reason);
    }
    return drive;
  }

  @ParameterizedTest
  @CsvSource({
    "4, 400, lateness p99 is 2 ms, true",
    "4.1, 400, lateness p99 is 2 ms, false",
    "4, 400, 1 request failed, false"
  })
  void latenessThatAClientCannotNoticeIsAllowedAndNothingElse(
      double latest, double clientMs, String reason, boolean valid) {
    ObjectNode result = new ObjectMapper().createObjectNode();
    result.putArray("drives").add(drive(0.1)).add(drive(latest, "lateness p99.9 is late", reason));
    result.putObject("gate").put("valid", false);
    Drives.allowLatenessToClient(result, clientMs);
    assertEquals(valid, result.at("/gate/valid").asBoolean());
  }
}
