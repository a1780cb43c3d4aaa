package org.hadoopprio.lab.bench.mixed;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.hadoopprio.lab.bench.experiment.Cell;
import org.junit.jupiter.api.Test;

class MixedPlanTest {

  private static final Set<Background> BACKGROUNDS =
      EnumSet.complementOf(EnumSet.of(Background.NONE));

  private static MixedPlan whole(int repetitions) {
    return MixedPlan.of(
        EnumSet.allOf(MixedSystem.class),
        BACKGROUNDS,
        EnumSet.allOf(GetLoad.class),
        repetitions,
        60);
  }

  private static Set<String> ids(List<Cell> cells) {
    return cells.stream().map(Cell::id).collect(Collectors.toSet());
  }

  @Test
  void theMainCellsAreRepeatedAndTheBoundIsShared() {
    Set<String> ids = ids(whole(3).cells());
    for (String system : new String[] {"stock", "host", "full"}) {
      assertTrue(ids.contains("open_streams16_" + system + "_r3"), ids::toString);
    }
    assertTrue(ids.contains("open_none_bound_r3"), ids::toString);
    assertTrue(ids.contains("open_streams16_ionice_r1"), ids::toString);
    assertFalse(ids.contains("open_streams16_ionice_r2"), ids::toString);
    assertTrue(ids.contains("closed1_streams16_full_r2"), ids::toString);
    assertTrue(ids.contains("closed16_none_bound_r2"), ids::toString);
    assertTrue(ids.contains("closed16_wordcount_stock_r1"), ids::toString);
    assertFalse(ids.contains("open_wordcount_full_r2"), ids::toString);
    assertFalse(ids.stream().anyMatch(id -> id.contains("streams16_bound")), ids::toString);
  }

  @Test
  void allCellsAreDistinct() {
    List<Cell> cells = whole(3).cells();
    assertEquals(cells.size(), ids(cells).size());
  }

  @Test
  void theOrderHasAllCellsAndFewSwitches() {
    List<Cell> cells = whole(3).cells();
    List<Cell> order = MixedPlan.order(cells, 5);
    assertEquals(cells.size(), order.size());
    assertEquals(new HashSet<>(cells), new HashSet<>(order));
    // Three deployments in each of two repetitions, two in the third.
    assertTrue(MixedPlan.switches(order) <= 7, () -> MixedPlan.switches(order) + " switches");
    int repetition = 0;
    for (Cell cell : order) {
      assertTrue(cell.repetition() >= repetition, order::toString);
      repetition = cell.repetition();
    }
  }

  @Test
  void theOrderIsRandomButRepeatable() {
    List<Cell> cells = whole(2).cells();
    assertEquals(MixedPlan.order(cells, 5), MixedPlan.order(cells, 5));
    assertNotEquals(MixedPlan.order(cells, 5), MixedPlan.order(cells, 6));
    assertNotEquals(cells, MixedPlan.order(cells, 5));
  }

  @Test
  void slowCellsAreMeasuredLonger() {
    MixedPlan plan = whole(1);
    assertEquals(120, plan.seconds(GetLoad.CLOSED1, Background.STREAMS16, MixedSystem.STOCK));
    assertEquals(60, plan.seconds(GetLoad.CLOSED1, Background.STREAMS16, MixedSystem.FULL));
    assertEquals(60, plan.seconds(GetLoad.CLOSED1, Background.NONE, MixedSystem.BOUND));
    assertEquals(60, plan.seconds(GetLoad.OPEN, Background.STREAMS16, MixedSystem.STOCK));
  }

  @Test
  void closedLoopsHaveNoRealtimeLimit() {
    List<Cell> cells = whole(1).cells();
    Set<String> deployments =
        cells.stream().map(cell -> Deployment.of(cell).toString()).collect(Collectors.toSet());
    assertEquals(
        Set.of(
            "stock",
            "hadoop-prio, dfs.datanode.io.priority.realtime.share = 0.5",
            "hadoop-prio, dfs.datanode.io.priority.realtime.share = 1.0"),
        deployments);
  }

  @Test
  void whatLeavesNothingToMeasureIsRefused() {
    assertThrows(
        IllegalArgumentException.class,
        () ->
            MixedPlan.of(
                EnumSet.of(MixedSystem.IONICE), BACKGROUNDS, EnumSet.of(GetLoad.CLOSED4), 1, 60));
    assertThrows(
        IllegalArgumentException.class,
        () ->
            MixedPlan.of(
                EnumSet.of(MixedSystem.FULL),
                EnumSet.of(Background.NONE),
                EnumSet.of(GetLoad.OPEN),
                1,
                60));
  }

  @Test
  void thePlanSaysHowLongItTakes() {
    String text = whole(3).describe();
    assertTrue(text.matches("\\d+ cells .*streams16.*, about \\d+ minutes .*"), text);
  }
}
