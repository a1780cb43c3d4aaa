package org.hadoopprio.lab.bench.device;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.hadoopprio.lab.bench.experiment.Cell;
import org.hadoopprio.lab.bench.experiment.CellResult;
import org.hadoopprio.lab.bench.experiment.Findings;
import org.hadoopprio.lab.bench.experiment.Target;
import org.hadoopprio.lab.bench.experiment.report.Figure;
import org.hadoopprio.lab.bench.experiment.report.FigureImage;
import org.junit.jupiter.api.Test;

class DeviceFindingsTest {

  private static final ObjectMapper JSON = new ObjectMapper();

  /** Results of a whole plan, as a drive that behaves as the published one would give them. */
  private static List<CellResult> results(boolean quick) throws IOException {
    List<CellResult> results = new ArrayList<>();
    for (Cell cell : new DevicePlan(quick, 1).cells()) {
      results.add(new CellResult(cell, measured(cell)));
    }
    return results;
  }

  private static ObjectNode measured(Cell cell) throws IOException {
    ObjectNode measured = JSON.createObjectNode();
    String load = cell.factor(DevicePlan.LOAD);
    if (load.equals(DevicePlan.CALIBRATION)) {
      measured.set("rows", JSON.readTree("[" + String.join(",", rows()) + "]"));
      return measured;
    }
    ObjectNode jobs = measured.putObject("jobs");
    boolean drive = cell.factors().containsValue(DevicePlan.DRIVE);
    switch (load) {
      case DevicePlan.ALONE:
        int depth = DevicePlan.number(cell.factor(DevicePlan.DEPTH));
        job(jobs, "all", depth == 1 ? 81 : depth == 3 ? 110 : 188, depth == 32 ? 500 : 20);
        break;
      case DevicePlan.SHARE:
        ObjectNode classes = job(jobs, "all", 150, 100).putObject("classes");
        job(classes, "rt", 30, 40);
        job(classes, "none", 120, 400);
        break;
      default:
        job(jobs, "foreground", 15, drive ? 40 : 600);
        job(jobs, "background", 150, 400);
    }
    if (!load.equals(DevicePlan.SIM)) {
      ObjectNode gate = measured.putObject("gate");
      gate.put("valid", true).put("queue_max", 32).putArray("reasons");
    }
    return measured;
  }

  private static List<String> rows() {
    return List.of(
        row("128 KiB random reads, QD1", "IOPS", 81, 80.7, true, 0.08),
        row("128 KiB random reads, QD3", "IOPS", 110, 106, true, 0.08),
        row("128 KiB random reads, QD32", "IOPS", 188, 187, true, 0.08),
        row("128 KiB random reads, QD32, p99", "ms", 575, 576, true, 0.1),
        row("NCQ priority, 20 % high", "IOPS", 156, 161, false, 0.08),
        row("NCQ priority, 40 % high", "IOPS", 200, 141, false, 0.08),
        row("QD1 RT beside QD32, drive priority, p99.99", "ms", 81, 65, false, 0.1));
  }

  private static String row(
      String what, String unit, double published, double ours, boolean gated, double tolerance) {
    return JSON.createObjectNode()
        .put("source", "SDC")
        .put("what", what)
        .put("unit", unit)
        .put("published", published)
        .put("ours", ours)
        .put("gated", gated)
        .put("tolerance", tolerance)
        .toString();
  }

  /** A job whose p99 is 1.15 times its p95, and whose p99.99 is twice its p99. */
  private static ObjectNode job(ObjectNode jobs, String name, double iops, double p95) {
    ObjectNode job = jobs.putObject(name);
    job.put("n", 1000).put("iops", iops).put("mean_ms", p95 / 2).put("p50_ms", p95 / 3);
    job.put("p95_ms", p95).put("p99_ms", p95 * 1.15).put("p99.9_ms", p95 * 1.5);
    job.put("p99.99_ms", p95 * 2.3).put("max_ms", p95 * 3);
    return job;
  }

  private static Findings findings(List<CellResult> results) {
    return new DeviceFindings(results).findings();
  }

  private static Target target(Findings findings, String part) {
    return findings.targets().stream().filter(t -> t.what().contains(part)).findFirst().get();
  }

  private static CellResult find(List<CellResult> results, String id) {
    return results.stream().filter(r -> r.cell().id().equals(id)).findFirst().get();
  }

  private static ObjectNode jobs(CellResult result, String name) {
    return (ObjectNode) result.measured().path("jobs").path(name);
  }

  @Test
  void aDriveLikeThePublishedOnePasses() throws IOException {
    for (boolean quick : new boolean[] {true, false}) {
      Findings findings = findings(results(quick));
      assertEquals(List.of(), findings.invalid());
      assertTrue(findings.passed(), findings.targets().toString());
      assertEquals(15, target(findings, "virtual time: p99.99 without").measured().getAsDouble());
      int met = quick ? 5 : 6;
      assertTrue(
          findings.summary().startsWith(met + " of 6 targets met; p99.99 15x"), findings.summary());
      assertEquals(quick, target(findings, "that ratio / the one").measured().isEmpty());
      List<String> ids =
          findings.figures().stream().map(Figure::id).distinct().collect(Collectors.toList());
      assertEquals(findings.figures().size(), ids.size());
      for (Figure figure : findings.figures()) {
        assertTrue(FigureImage.png(figure).length > 0);
      }
    }
  }

  @Test
  void aSlowDriveMissesItsTargets() throws IOException {
    List<CellResult> results = results(true);
    jobs(find(results, "alone_qd3_r1"), "all").put("iops", 100);
    jobs(find(results, "alone_qd32_r1"), "all").put("p99_ms", 640);
    Findings findings = findings(results);
    assertFalse(findings.passed());
    assertTrue(target(findings, "QD3: deviation").missed());
    assertTrue(target(findings, "QD32, p99: deviation").missed());
    assertTrue(target(findings, "QD1: deviation").met());
    assertTrue(target(findings, "QD32: deviation").met());
  }

  @Test
  void aShortTailWithoutDrivePriorityMissesTheRatio() throws IOException {
    List<CellResult> results = results(false);
    jobs(find(results, "sim_none_host_r1"), "foreground").put("p99.99_ms", 900);
    assertTrue(target(findings(results), "virtual time: p99.99 without").missed());
    jobs(find(results, "tail_none_drive_r1"), "foreground").put("p99_ms", 80);
    assertTrue(target(findings(results), "that ratio / the one in virtual time").missed());
  }

  @Test
  void whatTheModelDoesNotReproduceIsSaid() throws IOException {
    List<String> notes = findings(results(true)).notes();
    assertTrue(
        notes.contains(
            "Not reproduced: NCQ priority, 40 % high is 150 IOPS, published is 200 (SDC)."),
        notes.toString());
    // Measured in virtual time only.
    assertTrue(
        notes.contains(
            "Not reproduced: QD1 RT beside QD32, drive priority, p99.99 is 65 ms, published is 81"
                + " (SDC)."),
        notes.toString());
    assertTrue(notes.stream().noneMatch(note -> note.contains("20 % high")), notes.toString());
  }

  @Test
  void aGateThatDoesNotHoldMakesTheRunInvalid() throws IOException {
    List<CellResult> results = results(true);
    ObjectNode gate = (ObjectNode) find(results, "alone_qd1_r1").measured().path("gate");
    gate.put("valid", false).putArray("reasons").add("3 requests came without their priority");
    // A queue depth of 1 does not fill the queue; 32 does.
    gate.put("queue_max", 1);
    ((ObjectNode) find(results, "alone_qd32_r1").measured().path("gate")).put("queue_max", 31);
    Findings findings = findings(results);
    assertFalse(findings.passed());
    assertEquals(
        List.of(
            "alone_qd1_r1: 3 requests came without their priority",
            "alone_qd32_r1: the drive held at most 31 requests, not 32"),
        findings.invalid());
  }

  @Test
  void aSchedulerMayHoldTheBackgroundBack() throws IOException {
    List<CellResult> results = results(true);
    for (CellResult result : results) {
      if (result.cell().id().startsWith("beside_bfq")) {
        ((ObjectNode) result.measured().path("gate")).put("queue_max", 6);
        ((ObjectNode) result.measured().path("jobs"))
            .putObject("background")
            .put("n", 0)
            .put("iops", 0);
      }
    }
    Findings findings = findings(results);
    assertEquals(List.of(), findings.invalid());
    for (Figure figure : findings.figures()) {
      assertTrue(FigureImage.png(figure).length > 0);
    }
  }

  @Test
  void withoutResultsNothingIsClaimed() {
    Findings findings = findings(List.of());
    assertTrue(findings.targets().stream().allMatch(t -> t.measured().isEmpty()));
    assertEquals(List.of(), findings.figures());
  }

  @Test
  void thePlanHasDistinctCellsAndAQuickOneIsShort() {
    for (boolean quick : new boolean[] {true, false}) {
      List<Cell> cells = new DevicePlan(quick, 2).cells();
      assertEquals(cells.size(), cells.stream().map(Cell::id).distinct().count());
    }
    double seconds =
        new DevicePlan(true, 1).cells().stream().mapToDouble(Cell::expectedSeconds).sum();
    assertTrue(seconds < 300, "expected to take " + seconds + " s");
    Map<String, String> quick = new DevicePlan(true, 1).settings();
    assertFalse(quick.equals(new DevicePlan(false, 1).settings()));
    // More repetitions can be added later.
    assertEquals(quick, new DevicePlan(true, 2).settings());
  }
}
