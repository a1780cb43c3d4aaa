// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.lab.bench.sensitivity;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.hadoopprio.lab.bench.experiment.Cell;
import org.hadoopprio.lab.bench.experiment.CellResult;
import org.hadoopprio.lab.bench.experiment.Findings;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class SensitivityFindingsTest {

  private final List<CellResult> results = new ArrayList<>();
  private List<Variation> variations;

  /** On the preset 0.1, 0.05 and 1; segments move little, and the seek much. */
  @BeforeEach
  void measure() throws IOException {
    variations =
        Variation.of(
            new ObjectMapper()
                .readTree(
                    "[{\"key\":\"segments\",\"value\":\"16\",\"low\":\"1\",\"high\":\"128\","
                        + "\"why\":\"manuals\"},{\"key\":\"seek_avg_ns\",\"value\":\"7ms\","
                        + "\"low\":\"6ms\",\"high\":\"8ms\",\"why\":\"data sheets\"}]"));
    add(SensitivityExperiment.PRESET, 10, 20, 100);
    add(SensitivityExperiment.factors("segments", SensitivityExperiment.LOW), 11, 20, 100);
    add(SensitivityExperiment.factors("segments", SensitivityExperiment.HIGH), 10, 20, 110);
    add(SensitivityExperiment.factors("seek_avg_ns", SensitivityExperiment.LOW), 8, 18, 90);
    add(SensitivityExperiment.factors("seek_avg_ns", SensitivityExperiment.HIGH), 14, 22, 100);
  }

  /** A drive with the long seek is none that was published. */
  private void add(Map<String, String> factors, double mean, double p99, double rate) {
    for (int repetition = 1; repetition <= 2; repetition++) {
      ObjectNode measured = new ObjectMapper().createObjectNode();
      measured.set("stock", system(100, 400, 100));
      measured.set("prio", system(mean, p99, rate));
      if (repetition == 1) {
        measured.putObject("calibration").put("gates", 7).put("held", mean == 14 ? 5 : 7);
      }
      results.add(new CellResult(new Cell(factors, repetition, 1), measured));
    }
  }

  private static JsonNode system(double mean, double p99, double rate) {
    return new ObjectMapper()
        .createObjectNode()
        .put("mean_ms", mean)
        .put("p99_ms", p99)
        .put("scans_bytes_per_second", rate)
        .put("overloaded", false);
  }

  private Findings findings() {
    return new SensitivityFindings(variations, results).findings();
  }

  @Test
  void aHeadlineIsToldWithItsRange() {
    assertEquals(
        "hadoop-prio / stock: Gets' mean 0.100 (0.0800 to 0.140), Gets' p99 0.0500 (0.0450 to"
            + " 0.0550), scans' throughput 1 (0.900 to 1.10)",
        findings().summary());
  }

  @Test
  void theRangeOfDrivesThatArePublishedIsToldToo() {
    String note = findings().notes().get(2);
    assertTrue(note.contains("Gets' mean 0.100 (0.0800 to 0.110)"), note);
  }

  @Test
  void whatMovesMostComesFirst() {
    List<List<String>> rows = findings().tables().get(1).rows();
    assertEquals("seek_avg_ns", rows.get(0).get(0));
    assertEquals("segments", rows.get(1).get(0));
    assertEquals(List.of("6ms", "7ms", "8ms", "0.0800", "0.140"), rows.get(0).subList(1, 6));
    assertEquals(List.of("7/7, 5/7", "data sheets"), rows.get(0).subList(10, 12));
  }

  @Test
  void aDiskThatCannotAnswerAllGetsMakesTheRunInvalid() {
    ((ObjectNode) results.get(2).measured().path("stock")).put("overloaded", true);
    assertEquals(
        List.of("segments_low_r1: more Gets arrive than the disk can answer, stock"),
        findings().invalid());
  }
}
