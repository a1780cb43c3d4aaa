// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.lab.bench.plan;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.hadoopprio.lab.bench.experiment.Cell;
import org.hadoopprio.lab.bench.experiment.CellResult;
import org.hadoopprio.lab.bench.experiment.Estimate;
import org.hadoopprio.lab.bench.experiment.Findings;
import org.hadoopprio.lab.bench.experiment.Results;
import org.hadoopprio.lab.bench.experiment.Target;
import org.hadoopprio.lab.bench.experiment.report.ReportTable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What is measured of the plan {@code tenants}, and what follows. */
class TenantsPlanTest {

  private static final double TWELVE_MINUTES_S = 720;

  /** Cluster, data, and a restart with the agent. */
  private static final double PREPARATION_S = 150;

  private static final String TURNS = "turns";

  private Plan plan;

  @BeforeEach
  void read() throws IOException {
    plan = ShippedPlan.read("tenants");
  }

  /** With the same R for all in all mixes. */
  private ShippedPlan with(double r) {
    ShippedPlan shipped = new ShippedPlan(plan, 3);
    plan.conditions()
        .forEach(
            (name, condition) -> {
              int count = condition.loads().size();
              for (String load : count == 1 ? Set.<String>of() : condition.loads().keySet()) {
                shipped.with(name + " turns " + load + ".mb_per_s", 100 * r / count);
              }
            });
    return shipped;
  }

  private static Set<String> missed(Findings findings) {
    return findings.targets().stream()
        .filter(Target::missed)
        .map(Target::what)
        .collect(Collectors.toSet());
  }

  @Test
  void mixesOfTwoThreeAndFiveTenantsAreMeasuredBesideEachAlone() {
    Map<Integer, Long> sizes =
        plan.conditions().values().stream()
            .collect(Collectors.groupingBy(each -> each.loads().size(), Collectors.counting()));
    assertEquals(Map.of(1, 5L, 2, 2L, 3, 1L, 5, 1L), sizes);
    plan.loads()
        .forEach(
            (name, load) -> {
              String table = load.parameters().get(CompactionsLoad.TABLE);
              assertEquals(name, load.parameters().getOrDefault(Tenants.PARAMETER, table));
            });
    assertEquals(
        plan.loads().keySet(), Set.copyOf(plan.systems().get(TURNS).tenants()), "each a tenant");
  }

  @Test
  void aQuickRunHasAllCellsAndTakesLessThanTwelveMinutes() {
    List<Cell> cells =
        ShippedPlan.experiment(plan, ShippedPlan.ask(true), 1, Path.of("unused")).plan();
    assertEquals(2 * plan.conditions().size(), cells.size());
    double seconds = cells.stream().mapToDouble(Cell::expectedSeconds).sum();
    assertTrue(PREPARATION_S + seconds < TWELVE_MINUTES_S, seconds + " s without preparation");
  }

  @Test
  void targetsAreMetWhereEachHasNearlyItsPart() {
    Findings findings = with(0.96).findings();
    assertEquals(4 + 2 + 3 + 1 + 2 + 4, findings.targets().size());
    assertTrue(findings.targets().stream().allMatch(Target::met), findings.targets().toString());
    assertEquals(2, findings.figures().size());
  }

  @Test
  void oneThatHasLessIsNamed() {
    ShippedPlan shipped =
        with(0.96)
            .with("two turns serve.mb_per_s", 44.9)
            .with("two turns scan.mb_per_s", 60)
            .with("three turns ingest.mb_per_s", 28);
    assertEquals(
        Set.of(
            "R of serve of turns in two",
            "R of ingest of turns in three",
            "total of turns in three"),
        missed(shipped.findings()));
  }

  @Test
  void theReportHasTheRsOfMixesOnly() {
    ReportTable table = with(0.96).findings().tables().get(0);
    List<String> columns = table.columns();
    for (List<String> row : table.rows()) {
      boolean isMix = plan.conditions().get(row.get(0)).loads().size() > 1;
      assertEquals(isMix, !row.get(columns.indexOf("total")).isEmpty(), row.toString());
      boolean hasScan = isMix && plan.conditions().get(row.get(0)).loads().containsKey("scan");
      assertEquals(hasScan, !row.get(columns.indexOf("R of scan")).isEmpty(), row.toString());
    }
    List<String> two =
        table.rows().stream()
            .filter(row -> row.subList(0, 2).equals(List.of("two", TURNS)))
            .findFirst()
            .orElseThrow();
    assertEquals("0.96 ± 0.00", two.get(columns.indexOf("R of scan")));
    assertEquals("0.96 ± 0.00", two.get(columns.indexOf("total")));
    assertEquals("", two.get(columns.indexOf("R of ingest")));
  }

  private static CellResult result(String condition, int repetition, Map<String, Double> rates) {
    ObjectNode measured = new ObjectMapper().createObjectNode();
    ObjectNode loads = measured.putObject(Column.LOADS);
    rates.forEach((load, rate) -> loads.putObject(load).put(Column.THROUGHPUT, rate));
    return new CellResult(
        new Cell(Map.of("condition", condition, "system", TURNS), repetition, 1), measured);
  }

  private Optional<Estimate> estimate(String column, List<CellResult> results) {
    return plan.columns()
        .get(column)
        .estimate(TURNS, new Measured(plan, new Results(results), "two"));
  }

  /** By what is measured alone in the same repetition. */
  @Test
  void rHasTheIntervalOfItsRepetitions() {
    List<CellResult> results = new ArrayList<>();
    results.add(result("scan", 1, Map.of("scan", 100.0)));
    results.add(result("scan", 2, Map.of("scan", 80.0)));
    results.add(result("serve", 1, Map.of("serve", 4.0)));
    results.add(result("serve", 2, Map.of("serve", 4.0)));
    results.add(result("two", 1, Map.of("scan", 45.0, "serve", 2.0)));
    results.add(result("two", 2, Map.of("scan", 38.0, "serve", 1.9)));
    Estimate r = estimate("R of scan", results).orElseThrow();
    Estimate expected = Estimate.of(List.of(0.9, 0.95));
    assertEquals(expected.mean(), r.mean(), 1e-9);
    assertEquals(expected.low(), r.low(), 1e-9);
    assertEquals(expected.high(), r.high(), 1e-9);
    Estimate total = estimate("total", results).orElseThrow();
    assertEquals(Estimate.of(List.of(0.95, 0.95)).mean(), total.mean(), 1e-9);
    assertEquals(2, total.count());
  }

  /** A sum without one of them would be too small. */
  @Test
  void whatIsNotMeasuredAloneHasNoPart() {
    List<CellResult> results =
        List.of(
            result("scan", 1, Map.of("scan", 100.0)),
            result("two", 1, Map.of("scan", 45.0, "serve", 2.0)));
    assertTrue(estimate("R of scan", results).isPresent());
    assertFalse(estimate("R of serve", results).isPresent());
    assertFalse(estimate("total", results).isPresent());
  }
}
