// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.lab.bench.mixed;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.hadoopprio.lab.bench.experiment.Cell;
import org.hadoopprio.lab.bench.experiment.CellResult;
import org.hadoopprio.lab.bench.experiment.Findings;
import org.hadoopprio.lab.bench.experiment.Target;
import org.junit.jupiter.api.Test;

class MixedFindingsTest {

  private static final String LEFT_BY_GETS =
      "background's throughput, SYSTEM / what Gets leave of the disk";

  private final List<CellResult> results = new ArrayList<>();

  private ObjectNode add(
      String load, String background, String system, int repetition, double mean, double mbps) {
    Map<String, String> factors = new LinkedHashMap<>();
    factors.put("load", load);
    factors.put("background", background);
    factors.put("system", system);
    ObjectNode measured = new ObjectMapper().createObjectNode();
    ObjectNode gets = measured.putObject("gets");
    gets.put("count", 1000).put("failures", 0).put("per_second", 18.0).put("mean_ms", mean);
    for (String name : new String[] {"p50", "p95", "p99", "p999", "max"}) {
      gets.put(name + "_ms", 2 * mean);
    }
    measured
        .putObject("background")
        .put("bytes_per_second", mbps * 1e6)
        .put("longest_wait_ms", 10 * mean);
    measured.putObject("disk").put("busy_share", 0.99);
    measured.putObject("gate").put("valid", true).putArray("reasons");
    results.add(new CellResult(new Cell(factors, repetition, 1), measured));
    return measured;
  }

  private void addMainGate(double full, double fullMbps) {
    for (int repetition = 1; repetition <= 2; repetition++) {
      add("open", "streams16", "stock", repetition, 300, 70);
      addReads(add("open", "streams16", "host", repetition, 16, 86));
      addReads(add("open", "streams16", "full", repetition, full, fullMbps));
      addReads(add("open", "none", "bound", repetition, 12, 0));
      addWithoutGets("no-gets", repetition, 125);
    }
  }

  /** 18 Gets a second, each a read of 62.5 KB that takes 8.25 ms of the disk. */
  private static void addReads(ObjectNode measured) {
    ObjectNode disk = (ObjectNode) measured.path("disk");
    disk.put("reads_per_get", 1.0);
    disk.putArray("classes")
        .addObject()
        .put("class", "be")
        .put("operation", "read")
        .put("count", 1000)
        .put("bytes", 62_500_000)
        .put("service_ms", 8.25);
  }

  private void addWithoutGets(String system, int repetition, double mbps) {
    add("open", "streams16", system, repetition, 0, mbps).remove("gets");
  }

  private Target target(Findings findings, String what) {
    return findings.targets().stream()
        .filter(target -> target.what().equals(what))
        .findFirst()
        .orElseThrow();
  }

  @Test
  void metTargetsAndTheirRatios() {
    addMainGate(14.4, 91);
    Findings findings = new MixedFindings(results).findings();
    assertTrue(findings.passed(), () -> findings.targets().toString());
    assertRatio(300 / 14.4, findings, "Gets' mean, stock / full");
    assertRatio(300 / 16.0, findings, "Gets' p95, stock / host");
    assertRatio(1.2, findings, "Gets' mean, full / bound");
    assertRatio(16 / 12.0, findings, "Gets' p95, host / bound");
    // The streams' 125 MB/s less 18 times 16 ms of each second: twice 8.25 ms less the transfer.
    double left = 125 * (1 - 18 * 0.016);
    assertRatio(91 / left, findings, LEFT_BY_GETS.replace("SYSTEM", "full"));
    assertRatio(86 / left, findings, LEFT_BY_GETS.replace("SYSTEM", "host"));
    assertRatio(16 / 300.0, findings, "a stream's longest wait, host / stock");
    assertFalse(target(findings, "Gets' mean, host-local / bound-local").measured().isPresent());
    assertEquals(
        "p95 of Gets beside 16 streams: stock 600 ms, hadoop-prio with drive priority 28.8 ms,"
            + " alone 24.0 ms; background 130 % of stock's",
        findings.summary());
  }

  private void assertRatio(double ratio, Findings findings, String what) {
    assertEquals(ratio, target(findings, what).measured().getAsDouble(), 1e-9);
  }

  @Test
  void missedTargets() {
    addMainGate(400, 50);
    Findings findings = new MixedFindings(results).findings();
    assertFalse(findings.passed());
    assertTrue(target(findings, "Gets' mean, stock / full").missed());
    assertTrue(target(findings, "Gets' mean, full / bound").missed());
    assertTrue(target(findings, "Gets' p95, full / bound").missed());
    assertTrue(target(findings, LEFT_BY_GETS.replace("SYSTEM", "full")).missed());
    assertTrue(target(findings, "a stream's longest wait, full / stock").missed());
    assertTrue(target(findings, "a stream's longest wait, host / stock").met());
  }

  @Test
  void aCellIsPredictedFromWhatItsDataNodeHasMeasured() throws IOException {
    String volume =
        "[{\"mode\":\"turns\",\"queue\":{\"serviceTimes\":{\"reads\":%d,\"readMicros\":9000,"
            + "\"readDeviationMicros\":2800,\"openMicros\":400,\"turns\":90,\"turnMicros\":58642,"
            + "\"turnBytes\":8000000}}}]";
    add("open60", "streams16", "levels", 1, 50, 40);
    Cell cell = results.get(0).cell();
    assertTrue(CellPrediction.applies(cell));
    JsonNode known = new ObjectMapper().readTree(String.format(volume, 90));
    JsonNode predicted = CellPrediction.of(cell, known, 1).orElseThrow();
    assertEquals(4, predicted.path("classes").size());
    double p99 = predicted.at("/classes/0/p99_ms").asDouble();
    assertTrue(p99 > 9 && p99 < 500, predicted.toString());
    double background = predicted.path("background_bytes_per_second").asDouble();
    assertTrue(background > 5e6 && background < 160e6, predicted.toString());
    double twice =
        CellPrediction.of(cell, known, 1.05).orElseThrow().at("/classes/0/p99_ms").asDouble();
    assertTrue(twice > p99, twice + " ms after " + p99);
    assertEquals(0.4, predicted.path("open_ms").asDouble(), predicted.toString());
    JsonNode unknown = new ObjectMapper().readTree(String.format(volume, 3));
    assertFalse(CellPrediction.of(cell, unknown, 1).isPresent());
    add("open", "streams16", "full", 1, 14, 90);
    assertFalse(CellPrediction.applies(results.get(1).cell()));
  }

  /** The targets of cells that nobody has asked for are not missed. */
  @Test
  void aValidPartIsNoFailure() {
    for (String load : new String[] {"open", "open60"}) {
      add(load, "streams16", "host", 1, 16, 60);
      add(load, "streams16", "within-100ms", 1, 60, 100);
    }
    Findings findings = new MixedFindings(results).findings();
    assertTrue(findings.passed(), () -> findings.targets().toString());
    assertEquals("4 cells of a chosen part measured", findings.summary());
  }

  @Test
  void jobsHaveTargetsOfTheirOwn() {
    for (String job : new String[] {"wordcount", "rowcounter"}) {
      add("open", job, "stock", 1, 100, 70);
      add("open", job, "host", 1, 20, 60);
      add("open", job, "full", 1, 15, 80);
    }
    add("open", "none", "bound", 1, 12, 0);
    Findings findings = new MixedFindings(results).findings();
    for (String job : new String[] {"wordcount", "RowCounter"}) {
      assertTrue(target(findings, job + ": Gets' p95, host / bound").missed());
      assertTrue(target(findings, job + ": Gets' p95, full / bound").met());
      assertTrue(target(findings, job + ": the job's throughput, host / stock").missed());
      assertTrue(target(findings, job + ": the job's throughput, full / stock").met());
    }
    assertFalse(target(findings, "Gets' mean, full / bound").measured().isPresent());
  }

  @Test
  void withShortCircuitTheTargetsAreTheSame() {
    add("open", "none", "bound-local", 1, 12, 0);
    add("open", "streams16", "stock-local", 1, 200, 80);
    add("open", "streams16", "host-local", 1, 16, 100);
    add("open", "streams16", "full-local", 1, 16, 90);
    Findings findings = new MixedFindings(results).findings();
    assertTrue(target(findings, "Gets' mean, host-local / bound-local").met());
    assertTrue(target(findings, "Gets' mean, full-local / bound-local").missed());
    assertFalse(target(findings, "Gets' mean, host / bound").measured().isPresent());
  }

  /** They are for comparison. */
  @Test
  void whatElseUsersMayPickHasNoTarget() {
    addMainGate(14.4, 91);
    for (String system : new String[] {"order-host", "order-full"}) {
      add("open", "streams16", system, 1, 500, 1);
    }
    assertTrue(new MixedFindings(results).findings().passed());
  }

  @Test
  void whatGetsLeaveIsNotTakenFromAnotherRepetition() {
    addMainGate(14.4, 91);
    results.removeIf(result -> MixedPlan.system(result.cell()) == MixedSystem.NO_GETS);
    addWithoutGets("no-gets", 3, 125);
    Findings findings = new MixedFindings(results).findings();
    assertFalse(target(findings, LEFT_BY_GETS.replace("SYSTEM", "host")).measured().isPresent());
  }

  @Test
  void ratiosArePairedByRepetition() {
    add("open", "streams16", "stock", 1, 100, 70);
    add("open", "streams16", "stock", 2, 300, 70);
    add("open", "streams16", "full", 2, 10, 70);
    Findings findings = new MixedFindings(results).findings();
    assertEquals(30, target(findings, "Gets' mean, stock / full").measured().getAsDouble(), 1e-9);
  }

  @Test
  void withoutAnyResultNothingIsMeasured() {
    Findings findings = new MixedFindings(results).findings();
    assertTrue(findings.targets().stream().noneMatch(t -> t.measured().isPresent()));
    assertTrue(findings.figures().isEmpty());
  }

  @Test
  void aGateThatDoesNotHoldAndFailedGetsMakeTheRunInvalid() {
    ObjectNode late = add("open", "streams16", "stock", 1, 300, 70);
    late.putObject("gate").put("valid", false).putArray("reasons").add("lateness p99 is 1 ms");
    ObjectNode failed = add("open", "streams16", "full", 1, 15, 63);
    ((ObjectNode) failed.path("gets")).put("failures", 3);
    add("open", "none", "bound", 1, 12, 0).remove("gate");
    Findings findings = new MixedFindings(results).findings();
    assertEquals(
        List.of(
            "open_streams16_stock_r1: lateness p99 is 1 ms",
            "open_streams16_full_r1: 3 Gets failed",
            "open_none_bound_r1: not measured on a virtual disk"),
        findings.invalid());
    assertFalse(findings.passed());
  }

  @Test
  void aPercentileOfTooFewGetsIsNotShown() {
    add("open", "streams16", "stock", 1, 300, 70);
    ObjectNode few = add("open", "streams16", "full", 1, 15, 63);
    ((ObjectNode) few.path("gets")).put("count", 999);
    List<List<String>> rows = new MixedFindings(results).findings().tables().get(0).rows();
    assertEquals(List.of("300", "600", "600", "600", "600"), rows.get(0).subList(4, 9));
    assertEquals(List.of("15.0", "30.0", "30.0", "-", "30.0"), rows.get(1).subList(4, 9));
  }
}
