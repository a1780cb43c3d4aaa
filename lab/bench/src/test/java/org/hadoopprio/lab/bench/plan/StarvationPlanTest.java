// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.lab.bench.plan;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.hadoopprio.lab.bench.experiment.Cell;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What is measured of a plan. */
class StarvationPlanTest {

  private static final double TEN_MINUTES_S = 600;
  private static final double PREPARATION_S = 90;

  private Plan plan;

  @BeforeEach
  void read() throws IOException {
    plan = ShippedPlan.read("starvation");
  }

  private List<Cell> cells(boolean quick, String... conditions) {
    return ShippedPlan.experiment(plan, ShippedPlan.ask(quick, conditions), 1, Path.of("unused"))
        .plan();
  }

  private static Set<String> ids(List<Cell> cells) {
    return cells.stream().map(Cell::id).collect(Collectors.toSet());
  }

  @Test
  void everyLoadIsComparedWithStockAndBound() {
    Set<String> ids = ids(cells(false, "random", "sequential"));
    for (int threads : List.of(1, 2, 4, 16, 48, 64, 96, 112, 128)) {
      for (String system : List.of("bound", "stock", "turns")) {
        assertTrue(ids.contains("random-" + threads + "_" + system + "_r1"), ids.toString());
        assertTrue(ids.contains("sequential-" + threads + "_" + system + "_r1"), ids.toString());
      }
    }
    assertEquals(2 * 9 * 3, ids.size());
  }

  @Test
  void toMeasureNothingIsRefused() {
    Choice.Wish nothing =
        new Choice.Wish(
            false, List.of("random"), List.of("turns-idle"), Optional.empty(), Optional.empty());
    IllegalArgumentException refused =
        assertThrows(IllegalArgumentException.class, () -> Choice.of(plan, nothing, 1));
    assertTrue(refused.getMessage().contains("random=[bound, stock, turns]"), refused.getMessage());
  }

  @Test
  void conditionsAreInAnOrderBySeedAndTheirSystemsTogether() {
    List<Cell> cells = cells(false, "random");
    PlanExperiment experiment =
        ShippedPlan.experiment(plan, ShippedPlan.ask(false, "random"), 1, Path.of("unused"));
    List<Cell> ordered = experiment.order(cells, 5);
    assertEquals(ordered, experiment.order(cells, 5));
    assertNotEquals(ordered, experiment.order(cells, 6));
    assertEquals(ids(cells), ids(ordered));
    for (int i = 0; i < ordered.size(); i++) {
      assertEquals(ordered.get(i / 3 * 3).factor("condition"), ordered.get(i).factor("condition"));
    }
  }

  @Test
  void levelsAreMeasuredLongerOnEachScheduler() {
    List<Cell> cells = cells(false, "be0-be7");
    assertEquals(
        Set.of("mq-deadline", "bfq", "none"),
        cells.stream()
            .map(cell -> plan.systems().get(cell.factor("system")).scheduler())
            .collect(Collectors.toSet()));
    double usual = cells(false, "random").get(0).expectedSeconds();
    assertTrue(cells.stream().allMatch(cell -> cell.expectedSeconds() > usual));
  }

  @Test
  void aQuickRunIsPartOfAFullOneAndTakesLessThanTenMinutes() {
    List<Cell> quick = cells(true);
    assertTrue(ids(cells(false)).containsAll(ids(quick)));
    double seconds = quick.stream().mapToDouble(Cell::expectedSeconds).sum();
    assertTrue(PREPARATION_S + seconds < TEN_MINUTES_S, seconds + " s without preparation");
  }

  @Test
  void aShortReadIsMeasuredAtEachPriorityBesideStreams() {
    Plan.Condition condition = plan.conditions().get("short");
    assertEquals(
        List.of("idle", "be:7", "rt:0", "idle", "be:7"),
        condition.systems().stream()
            .map(system -> plan.parameters("random", condition, plan.systems().get(system)))
            .map(parameters -> parameters.get("priority"))
            .collect(Collectors.toList()));
    assertEquals(5, cells(true, "short").size());
  }

  @Test
  void aReaderIsMeasuredBesideWritersOnceEach() {
    assertEquals(
        Set.of(
            "writers_bound_r1",
            "writers_stock_r1",
            "writers_turns_r1",
            "writers_turns-writers-be7_r1"),
        ids(cells(true, "writers")));
    assertTrue(plan.systems().get("bound").without().contains("writers"));
  }

  @Test
  void whatHasNoTargetOrTakesLongIsLeftOutOfAQuickRun() {
    Set<String> groups =
        cells(true).stream()
            .map(cell -> plan.conditions().get(cell.factor("condition")).group())
            .collect(Collectors.toSet());
    assertEquals(
        Set.of("random", "sequential", "streams16", "streams1", "be0-be7", "be4-idle"), groups);
  }

  @Test
  void aParameterThatIsVariedIsThatOfItsLoad() {
    Plan.Condition condition = plan.conditions().get("sequential-48");
    Plan.TriedSystem turns = plan.systems().get("turns");
    assertEquals("48", plan.parameters("sequential", condition, turns).get("threads"));
    assertEquals("16", plan.parameters("streams", condition, turns).get("streams"));
  }
}
