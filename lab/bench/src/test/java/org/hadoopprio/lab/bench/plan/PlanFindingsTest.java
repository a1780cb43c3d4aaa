// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.lab.bench.plan;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.util.List;
import java.util.stream.Collectors;
import org.hadoopprio.lab.bench.experiment.Cell;
import org.hadoopprio.lab.bench.experiment.Findings;
import org.hadoopprio.lab.bench.experiment.Target;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What follows from results of the shipped plans. */
class PlanFindingsTest {

  private static final int REPETITIONS = 3;
  private static final String OWN_WORK = "ownwork";
  private static final String OUTPUTS = "latency/outputs";
  private static final String MULTI_GETS = "latency/multigets";

  /** With figures with which each target is at its bound. */
  private static ShippedPlan atBounds(String name) throws IOException {
    return new ShippedPlan(ShippedPlan.read(name), REPETITIONS)
        .with("stock puts.p99_ms", 200)
        .with("defaults compactions.mb_per_s", 85)
        .with("containers outputs.in_time_per_s", 5)
        .with("containers all.mb_per_s", 180)
        .with("order-of-arrival multi-gets.p99_ms", 190)
        .with("together multi-gets.mean_ms", 58)
        .with("together multi-gets.reads", 1000);
  }

  private static List<String> missed(Findings findings) {
    return findings.targets().stream()
        .filter(Target::missed)
        .map(Target::what)
        .collect(Collectors.toList());
  }

  @ParameterizedTest
  @ValueSource(strings = {OWN_WORK, OUTPUTS, MULTI_GETS})
  void targetsAreMetAtTheirBounds(String plan) throws IOException {
    Findings findings = atBounds(plan).findings();
    assertEquals(2, findings.targets().size());
    assertTrue(findings.targets().stream().allMatch(Target::met), findings.targets().toString());
    assertTrue(findings.passed());
    assertFalse(findings.figures().isEmpty());
  }

  @ParameterizedTest
  @CsvSource({
    "ownwork, stock puts.p99_ms, 199, p99 ms of stock / defaults in compaction",
    "ownwork, defaults compactions.mb_per_s, 84, compaction MB/s of defaults / stock in compaction",
    "latency/outputs, containers outputs.in_time_per_s, 4.95, in time/s of containers",
    "latency/outputs, containers all.mb_per_s, 179, disk MB/s of containers / own-deadlines",
    "latency/multigets, order-of-arrival multi-gets.p99_ms, 189, p99 ms of order-of-arrival / together",
    "latency/multigets, together multi-gets.mean_ms, 59, mean ms of together / each",
  })
  void eachTargetCanBeMissed(String plan, String figure, double value, String target)
      throws IOException {
    Findings findings = atBounds(plan).with(figure, value).findings();
    assertEquals(List.of(target), missed(findings));
    assertFalse(findings.passed());
  }

  @ParameterizedTest
  @ValueSource(strings = {OWN_WORK, OUTPUTS, MULTI_GETS})
  void aGateThatDoesNotHoldInvalidatesTheRun(String plan) throws IOException {
    ShippedPlan shipped = atBounds(plan).invalid();
    assertEquals(shipped.experiment().plan().size(), shipped.findings().invalid().size());
    assertFalse(shipped.findings().passed());
  }

  @ParameterizedTest
  @ValueSource(strings = {OWN_WORK, OUTPUTS, MULTI_GETS})
  void whatWasNotMeasuredIsNeitherMetNorMissed(String plan) throws IOException {
    Findings findings = atBounds(plan).experiment().evaluate(List.of());
    assertEquals(2, findings.targets().size());
    assertTrue(findings.targets().stream().allMatch(t -> t.state() == Target.State.NOT_MEASURED));
    assertTrue(findings.figures().isEmpty());
    assertTrue(findings.notes().get(0).contains("is not drawn"), findings.notes().toString());
  }

  @Test
  void aPercentileOfFewReadsIsNotShown() throws IOException {
    ShippedPlan shipped = atBounds(MULTI_GETS);
    assertTrue(rows(shipped).contains("58.0, 100, 100, 100, 100"), rows(shipped));
    shipped.with("together multi-gets.reads", 999);
    assertTrue(rows(shipped).contains("58.0, 100, 100, -, 100"), rows(shipped));
  }

  /** Without the interval of 0. */
  private static String rows(ShippedPlan shipped) {
    return shipped.findings().tables().get(0).rows().toString().replace(" ± 0.00", "");
  }

  @ParameterizedTest
  @ValueSource(strings = {OWN_WORK, OUTPUTS, MULTI_GETS})
  void theSystemsOfAConditionAreNextToEachOtherInTurnsForwardsAndBackwards(String plan)
      throws IOException {
    PlanExperiment experiment = atBounds(plan).experiment();
    List<Cell> cells = experiment.order(experiment.plan(), 1);
    assertEquals(cells.size(), cells.stream().map(Cell::id).distinct().count());
    List<String> systems = List.copyOf(ShippedPlan.read(plan).systems().keySet());
    int count = systems.size();
    for (int i = 0; i < cells.size(); i++) {
      Cell cell = cells.get(i);
      assertEquals(cells.get(i / count * count).factor("condition"), cell.factor("condition"));
      int number = cell.repetition() % 2 == 0 ? count - 1 - i % count : i % count;
      assertEquals(systems.get(number), cell.factor("system"));
    }
  }

  /** A column may be another system's, or another figure's part. */
  @Test
  void aColumnCanBeARatio() throws IOException {
    String text =
        ShippedPlan.text(OWN_WORK)
            .replace(
                "mean ms: puts.mean_ms", "mean ms: puts.mean_ms\n  of stock's: puts.p99_ms / stock")
            .replace(
                "p50 ms: puts.p50_ms", "p50 ms: puts.p50_ms\n  of mean: puts.p99_ms / puts.mean_ms")
            .replace(
                "p99 ms of stock / defaults in compaction >= 2", "of stock's of defaults <= 0.5");
    ShippedPlan shipped =
        new ShippedPlan(PlanReader.read(OWN_WORK, "own.yaml", text), 2)
            .with("stock puts.p99_ms", 200)
            .with("stock puts.reads", 1000);
    Findings findings = shipped.findings();
    assertEquals(
        List.of("of stock's of defaults in alone", "of stock's of defaults in compaction"),
        findings.targets().subList(0, 2).stream().map(Target::what).collect(Collectors.toList()));
    assertEquals(0.5, findings.targets().get(1).measured().getAsDouble());
    String rows = rows(shipped);
    assertTrue(rows.contains("[alone, stock, 1000, 100, 1.00, 100, 2.00, "), rows);
  }
}
