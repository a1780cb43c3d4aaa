// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.lab.bench.starvation;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.hadoopprio.lab.bench.experiment.Cell;
import org.junit.jupiter.api.Test;

class StarvationPlanTest {

  private static final double TEN_MINUTES_S = 600;
  private static final double PREPARATION_S = 90;

  private static StarvationPlan plan(boolean quick, StarvationPart... parts) {
    return new StarvationPlan(Set.of(parts), quick, 1);
  }

  private static StarvationPlan all() {
    return new StarvationPlan(EnumSet.allOf(StarvationPart.class), false, 2);
  }

  @Test
  void everyCellLeadsBackToItsMeasurement() {
    StarvationPlan plan = all();
    List<Cell> cells = plan.cells();
    assertEquals(cells.size(), cells.stream().map(Cell::id).distinct().count());
    assertEquals(cells.size(), 2 * plan.measurements().size());
    for (Cell cell : cells) {
      assertEquals(cell.factors(), plan.of(cell).factors());
    }
  }

  @Test
  void aCellOfAnotherPlanIsRefused() {
    Cell cell = plan(true, StarvationPart.LEVELS).cells().get(0);
    StarvationPlan other = plan(true, StarvationPart.READERS);
    assertThrows(IllegalArgumentException.class, () -> other.of(cell));
  }

  @Test
  void everyLoadIsComparedWithStockAndBound() {
    StarvationPlan plan = plan(false, StarvationPart.READERS);
    Set<Map<String, String>> planned = factors(plan);
    for (ClientLoad load : StarvationPlan.all()) {
      for (ReaderSystem system :
          List.of(ReaderSystem.BOUND, ReaderSystem.STOCK, ReaderSystem.TURNS)) {
        Measurement measurement = Measurement.realtime(load, system);
        assertTrue(planned.contains(measurement.factors()), measurement.toString());
      }
    }
  }

  @Test
  void levelsAreMeasuredLongerOnEachScheduler() {
    StarvationPlan plan = plan(false, StarvationPart.LEVELS);
    for (String scheduler : List.of("mq-deadline", "bfq", "none")) {
      for (BackgroundStreams groups : BackgroundStreams.levels()) {
        Measurement measurement = Measurement.levels(groups, scheduler, ReaderSystem.TURNS);
        assertTrue(factors(plan).contains(measurement.factors()), measurement.toString());
        assertTrue(plan.seconds(measurement) > plan.seconds());
      }
    }
  }

  @Test
  void aQuickRunIsPartOfAFullOneAndTakesLessThanTenMinutes() {
    StarvationPlan quick = new StarvationPlan(StarvationPart.byDefault(true), true, 1);
    assertTrue(factors(all()).containsAll(factors(quick)));
    double seconds = quick.cells().stream().mapToDouble(Cell::expectedSeconds).sum();
    assertTrue(PREPARATION_S + seconds < TEN_MINUTES_S, seconds + " s without preparation");
  }

  @Test
  void aShortReadIsMeasuredAtEachPriorityBesideStreams() {
    StarvationPlan plan = plan(true, StarvationPart.SHORT);
    assertEquals(
        List.of("idle", "be:7", "rt:0", "idle", "be:7"),
        plan.measurements().stream()
            .map(measurement -> measurement.system().priority().orElseThrow())
            .collect(Collectors.toList()));
    for (Measurement measurement : plan.measurements()) {
      assertEquals(BackgroundStreams.STREAMS16, measurement.background());
      assertEquals(1, measurement.load().amount());
    }
  }

  @Test
  void aReaderIsMeasuredBesideWritersOnceEach() {
    List<Measurement> measurements = plan(true, StarvationPart.WRITERS).measurements();
    assertEquals(
        List.of("none bound", "writers4 stock", "writers4 turns", "writers4-be7 turns"),
        measurements.stream()
            .map(measurement -> measurement.background() + " " + measurement.system())
            .collect(Collectors.toList()));
    StarvationPlan all = plan(false, StarvationPart.READERS, StarvationPart.WRITERS);
    assertEquals(all.measurements().size(), factors(all).size());
  }

  @Test
  void whatHasNoTargetOrTakesLongIsLeftOutOfAQuickRun() {
    assertEquals(EnumSet.allOf(StarvationPart.class), StarvationPart.byDefault(false));
    assertEquals(
        EnumSet.of(StarvationPart.READERS, StarvationPart.STREAMS, StarvationPart.LEVELS),
        StarvationPart.byDefault(true));
  }

  private static Set<Map<String, String>> factors(StarvationPlan plan) {
    return plan.measurements().stream().map(Measurement::factors).collect(Collectors.toSet());
  }
}
