// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.lab.bench.plan;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.hadoopprio.lab.bench.experiment.Cell;
import org.hadoopprio.lab.bench.experiment.Findings;
import org.hadoopprio.lab.bench.experiment.Target;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What is measured of the plans {@code mixed} and {@code jobs}, and what follows. */
class MixedPlanTest {

  private static final double TEN_MINUTES_S = 600;
  private static final double PREPARATION_S = 240;

  private static List<Cell> cells(boolean quick, String... systems) throws IOException {
    Choice.Wish wish =
        new Choice.Wish(
            quick, List.of("open"), List.of(systems), Optional.empty(), Optional.empty());
    return ShippedPlan.experiment(ShippedPlan.read("mixed"), wish, 2, Path.of("unused")).plan();
  }

  /** With figures with which each target is at its bound. */
  private static ShippedPlan atBounds(String name) throws IOException {
    ShippedPlan plan =
        new ShippedPlan(ShippedPlan.read(name), 3)
            .with("stock gets.mean_ms", 960)
            .with("stock gets.p95_ms", 1500)
            .with("host scans.mb_per_s", 90)
            .with("open within-100ms scans.mb_per_s", 104)
            .with("open60 within-100ms scans.mb_per_s", 144)
            .with("within-50ms gets.p99_ms", 75)
            .with("within-100ms gets.p99_ms", 150)
            .with("within-200ms gets.p99_ms", 300)
            .with("host level-50ms.p99_ms", 60);
    for (String drive : List.of("", "-local")) {
      plan.with("host" + drive + " gets.mean_ms", 135)
          .with("host" + drive + " gets.p95_ms", 140)
          .with("full" + drive + " gets.mean_ms", 120)
          .with("full" + drive + " gets.p95_ms", 125);
    }
    return plan;
  }

  private static Set<String> missed(Findings findings) {
    return findings.targets().stream()
        .filter(Target::missed)
        .map(Target::what)
        .collect(Collectors.toSet());
  }

  @ParameterizedTest
  @ValueSource(strings = {"mixed", "jobs"})
  void targetsAreMetAtTheirBounds(String plan) throws IOException {
    Findings findings = atBounds(plan).findings();
    assertTrue(findings.targets().stream().allMatch(Target::met), findings.targets().toString());
    assertTrue(findings.passed());
    assertEquals(2, findings.figures().size());
  }

  @ParameterizedTest
  @CsvSource({
    "mixed, stock gets.mean_ms, 959, mean ms of stock / full in open",
    "mixed, full-local gets.p95_ms, 126, p95 ms of full-local / bound-local in open",
    "mixed, host scans.longest_wait_ms, 101, longest wait ms of host / stock in open",
    "mixed, open60 within-50ms gets.p99_ms, 76, p99 ms of within-50ms in open60",
    "mixed, open60 within-100ms scans.mb_per_s, 143, scans MB/s of within-100ms / host in open60",
    "mixed, host level-50ms.p99_ms, 61, p99 of 50 ms of host in levels60",
    "jobs, wordcount full gets.p95_ms, 151, p95 ms of full / bound in wordcount",
    "jobs, row-counter host disk.read_mb_per_s, 99, disk MB/s of host / stock in row-counter",
  })
  void aTargetCanBeMissed(String plan, String figure, double value, String target)
      throws IOException {
    assertEquals(Set.of(target), missed(atBounds(plan).with(figure, value).findings()));
  }

  /** As docs/experiments.md has them. */
  @Test
  void whatElseOneCouldUseIsMeasured() throws IOException {
    String[] alternatives = {
      "stock",
      "throttle",
      "stock-bfq",
      "ionice-local",
      "ionice-local-bfq",
      "order-host",
      "host",
      "stock-local",
      "host-local"
    };
    assertEquals(2 * alternatives.length, cells(false, alternatives).size());
  }

  @Test
  void aQuickRunTakesLessThanTenMinutes() throws IOException {
    double seconds = cells(true).stream().mapToDouble(Cell::expectedSeconds).sum() / 2;
    assertTrue(PREPARATION_S + seconds < TEN_MINUTES_S, seconds + " s without preparation");
  }

  /** A restart takes as long as a measurement. */
  @Test
  void thoseWithTheSameDaemonsAreMeasuredTogether() throws IOException {
    Plan plan = ShippedPlan.read("mixed");
    Choice.Wish wish = ShippedPlan.ask(false, "open", "open60", "levels60");
    PlanExperiment experiment = ShippedPlan.experiment(plan, wish, 2, Path.of("unused"));
    List<Cell> order = experiment.order(experiment.plan(), 3);
    assertEquals(Set.copyOf(experiment.plan()), Set.copyOf(order));
    int restarts = 0;
    for (int i = 1; i < order.size(); i++) {
      restarts += daemons(plan, order.get(i)).equals(daemons(plan, order.get(i - 1))) ? 0 : 1;
    }
    // Four in each repetition, of which the second begins with those that the first ends with.
    assertEquals(6, restarts);
  }

  private static Plan.Daemons daemons(Plan plan, Cell cell) {
    return plan.systems().get(cell.factor("system")).daemons();
  }

  @Test
  void systemsWarmUpAlike() throws IOException {
    Plan plan = ShippedPlan.read("mixed");
    Set<Map<String, String>> all =
        plan.systems().values().stream()
            .map(system -> Plan.warmUp("gets", plan.loads().get("gets"), system))
            .collect(Collectors.toSet());
    assertEquals(1, all.size());
  }

  @Test
  void aMergedLoadHasItsOwnParameters() throws IOException {
    Map<String, String> level = ShippedPlan.read("mixed").loads().get("level-200ms").parameters();
    assertEquals("rt:0@200ms", level.get("priority"));
    assertEquals("15", level.get("rate"));
  }
}
