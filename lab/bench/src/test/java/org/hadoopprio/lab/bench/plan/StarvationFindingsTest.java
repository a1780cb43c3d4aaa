// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.lab.bench.plan;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.util.List;
import java.util.Set;
import org.hadoopprio.lab.bench.experiment.Findings;
import org.hadoopprio.lab.bench.experiment.Target;
import org.hadoopprio.lab.bench.experiment.report.ReportTable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class StarvationFindingsTest {

  private static final int KIND = 9;
  private static final int LOADS = 2 * KIND;
  private static final int STREAM_TARGETS = 3;

  /** Two pairs of priorities on three schedulers, on either side. */
  private static final int LEVEL_TARGETS = 12;

  private static final int ALL_TARGETS = 5 * LOADS + 3 * KIND + STREAM_TARGETS + LEVEL_TARGETS;

  private static final Set<String> STREAMS = Set.of("streams16", "streams1");

  private ShippedPlan plan;

  /** Figures with which each target is at its bound; all others are 100. */
  @BeforeEach
  void atBounds() throws IOException {
    plan =
        new ShippedPlan(ShippedPlan.read("starvation"), 1)
            .with("random turns streams.mb_per_s", 25)
            .with("sequential turns streams.mb_per_s", 25)
            .with("bound random.p95_ms", 50)
            .with("bound sequential.p95_ms", 50)
            .with("random turns streams.longest_wait_ms", 3000)
            .with("sequential turns streams.longest_wait_ms", 3000)
            .with("turns disk.rt_charged_mb", 98)
            .with("streams16 turns streams.mb_per_s", 140)
            .with("streams1 turns streams.mb_per_s", 98);
    for (String system : List.of("turns", "turns-bfq", "turns-none")) {
      plan.with("be0-be7 " + system + " one.busy", 720)
          .with("be4-idle " + system + " one.busy", 1710);
    }
  }

  private void assertMissed(int count, String what) {
    Findings findings = plan.findings();
    long missed =
        findings.targets().stream().filter(t -> t.missed() && t.what().contains(what)).count();
    assertEquals(count, missed, findings.targets().toString());
    assertEquals(count, findings.targets().stream().filter(Target::missed).count());
    assertFalse(findings.passed());
  }

  @Test
  void targetsAreMetAtTheirBounds() {
    Findings findings = plan.findings();
    assertEquals(ALL_TARGETS, findings.targets().size());
    assertTrue(findings.targets().stream().allMatch(Target::met), findings.targets().toString());
    assertTrue(findings.passed());
    assertEquals("132 of 132 measured targets met", findings.summary());
    assertEquals(6, findings.figures().size());
    assertEquals(
        List.of("Results, random", "Results, sequential", "Results"),
        findings.tables().stream().map(table -> table.title()).toList());
    assertEquals(3 * KIND, findings.tables().get(0).rows().size());
    assertFalse(findings.tables().get(0).columns().contains("sequential MB/s"));
  }

  @ParameterizedTest
  @CsvSource({
    "random turns streams.mb_per_s, 24, 9, streams MB/s of turns / stock in random",
    "sequential turns streams.mb_per_s, 24, 9, streams MB/s of turns / stock in sequential",
    "stock random.p95_ms, 99, 9, random p95 ms of turns / stock",
    "bound sequential.p95_ms, 49, 9, sequential p95 ms of turns / bound",
    "turns random.mean_ms, 101, 9, random mean ms of turns / stock",
    "turns sequential.mb_per_s, 99, 9, sequential MB/s of turns / stock",
    "random turns streams.longest_wait_ms, 3001, 9, longest wait ms of turns / stock in random",
    "turns disk.rt_charged_mb, 97, 18, charged / read",
    "turns disk.rt_charged_mb, 103, 18, charged / read",
    "streams16 turns streams.mb_per_s, 139, 1, streams MB/s of turns / stock in streams16",
    "streams1 turns streams.mb_per_s, 97, 1, streams MB/s of turns / stock in streams1",
    "streams16 turns streams.longest_wait_ms, 101, 1, longest wait ms of turns / stock in streams16",
    "be0-be7 turns-bfq one.busy, 719, 1, disk time of turns-bfq in be0-be7",
    "be0-be7 turns one.busy, 881, 1, disk time of turns in be0-be7",
    "be4-idle turns-none one.busy, 1709, 1, disk time of turns-none in be4-idle",
    "be4-idle turns-none one.busy, 2091, 1, disk time of turns-none in be4-idle",
  })
  void eachTargetCanBeMissed(String figure, double value, int count, String target) {
    plan.with(figure, value);
    assertMissed(count, target);
  }

  @Test
  void aStreamMayWaitTwiceAsLongAsStocks() {
    plan.with("stock streams.longest_wait_ms", 3000)
        .with("random turns streams.longest_wait_ms", 6000);
    assertTrue(plan.findings().passed());
    plan.with("random turns streams.longest_wait_ms", 6001);
    assertMissed(KIND, "longest wait");
  }

  /** What stock's streams wait is not known then. */
  @Test
  void aLongWaitIsMissedAlsoWhereStockWasNotMeasured() {
    plan.with("random turns streams.longest_wait_ms", 11_000);
    Findings findings = plan.findings(cell -> cell.factor("system").equals("turns"));
    List<String> missed =
        findings.targets().stream().filter(Target::missed).map(Target::what).toList();
    assertEquals(KIND, missed.size(), missed.toString());
    assertTrue(
        missed.stream().allMatch(what -> what.startsWith("longest wait")), missed.toString());
  }

  @Test
  void whatWasNotMeasuredIsNeitherMetNorMissed() {
    Findings findings = plan.experiment().evaluate(List.of());
    assertEquals(ALL_TARGETS, findings.targets().size());
    assertTrue(findings.targets().stream().noneMatch(t -> t.met() || t.missed()));
    assertTrue(findings.figures().isEmpty());
    assertTrue(findings.tables().isEmpty());
  }

  @Test
  void aTableHasTheColumnsOfWhatWasMeasured() {
    List<ReportTable> tables =
        plan.findings(cell -> STREAMS.contains(cell.factor("condition"))).tables();
    assertEquals(1, tables.size());
    assertEquals(4, tables.get(0).rows().size());
    assertEquals(
        List.of(
            "condition",
            "system",
            "streams MB/s",
            "streams / stock",
            "longest wait ms",
            "charged / read"),
        tables.get(0).columns());
  }

  @Test
  void aGateThatDoesNotHoldInvalidatesTheRun() {
    Findings findings = plan.invalid().findings();
    assertEquals(plan.experiment().plan().size(), findings.invalid().size());
    assertTrue(findings.invalid().get(0).contains("late"));
    assertFalse(findings.passed());
  }
}
