// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.lab.bench.mixed;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.hadoopprio.lab.bench.experiment.Cell;
import org.hadoopprio.lab.bench.experiment.EnumNames;
import org.hadoopprio.lab.cluster.Role;
import org.junit.jupiter.api.Test;

class MixedPlanTest {

  private static final Set<Background> BACKGROUNDS =
      EnumSet.complementOf(EnumSet.of(Background.NONE));

  /** What is measured where nothing is chosen. */
  private static MixedPlan usual(int repetitions) {
    return plan(MixedSystem.byDefault(), repetitions);
  }

  private static MixedPlan all(int repetitions) {
    return plan(EnumSet.allOf(MixedSystem.class), repetitions);
  }

  private static MixedPlan plan(Set<MixedSystem> systems, int repetitions) {
    return MixedPlan.of(systems, BACKGROUNDS, EnumSet.allOf(GetLoad.class), repetitions, 60);
  }

  private static Set<String> ids(List<Cell> cells) {
    return cells.stream().map(Cell::id).collect(Collectors.toSet());
  }

  @Test
  void theMainCellsAreRepeatedAndTheBoundIsShared() {
    Set<String> ids = ids(usual(3).cells());
    for (String system : new String[] {"stock", "host", "full"}) {
      assertTrue(ids.contains("open_streams16_" + system + "_r3"), ids::toString);
    }
    assertTrue(ids.contains("open_none_bound_r3"), ids::toString);
    assertTrue(ids.contains("open_streams16_no-gets_r3"), ids::toString);
    assertTrue(ids.contains("open_streams16_throttle_r1"), ids::toString);
    assertFalse(ids.contains("open_streams16_throttle_r2"), ids::toString);
    assertTrue(ids.contains("open_rowcounter_host_r1"), ids::toString);
    assertFalse(ids.contains("open_wordcount_full_r2"), ids::toString);
    assertFalse(ids.stream().anyMatch(id -> id.contains("streams16_bound")), ids::toString);
  }

  /** Daemons without the agent would be measured as hadoop-prio, or the other way round. */
  @Test
  void theDaemonsHaveTheAgentWhereTheSystemIsHadoopPrio() {
    for (Cell cell : all(1).cells()) {
      MixedSystem system = MixedPlan.system(cell);
      assertEquals(system.prioritised(), Deployment.of(cell).hasAgent(), cell::id);
      assertEquals(
          system.local(),
          !Deployment.of(cell).clientOptions().isEmpty(),
          () -> cell.id() + " local");
    }
  }

  @Test
  void whatElseUsersMayPickIsMeasuredOnlyWhereItSaysSomething() {
    Set<String> usual = ids(usual(2).cells());
    Set<String> added = new TreeSet<>(ids(all(2).cells()));
    added.removeAll(usual);
    Set<String> expected =
        new TreeSet<>(
            Set.of(
                "open_none_bound-local_r1",
                "open_none_bound-local_r2",
                "open60_streams16_levels_r1",
                "open60_streams16_levels_r2"));
    for (String system : List.of("within-50ms", "within-100ms", "within-200ms")) {
      for (String load : List.of("open", "open60")) {
        expected.add(load + "_streams16_" + system + "_r1");
        expected.add(load + "_streams16_" + system + "_r2");
      }
    }
    for (String system :
        List.of(
            "stock-local",
            "stock-bfq",
            "ionice-local",
            "ionice-local-bfq",
            "host-local",
            "full-local",
            "order-host",
            "order-full")) {
      expected.add("open_streams16_" + system + "_r1");
      expected.add("open_streams16_" + system + "_r2");
      expected.add("open_wordcount_" + system + "_r1");
      expected.add("open_rowcounter_" + system + "_r1");
    }
    assertEquals(expected, added);
  }

  @Test
  void systemsAreNamedAsInCells() {
    assertEquals(
        EnumSet.of(MixedSystem.STOCK_LOCAL, MixedSystem.IONICE_LOCAL),
        EnumNames.named(MixedSystem.class, List.of("stock-local", "IONICE-local")));
    assertEquals(
        EnumSet.allOf(MixedSystem.class),
        EnumNames.named(MixedSystem.class, List.of("stock", "all")));
    for (Cell cell : all(1).cells()) {
      String name = cell.factor(MixedPlan.SYSTEM);
      assertEquals(
          Set.of(MixedPlan.system(cell)), EnumNames.named(MixedSystem.class, List.of(name)));
    }
    IllegalArgumentException refused =
        assertThrows(
            IllegalArgumentException.class,
            () -> EnumNames.named(MixedSystem.class, List.of("stock", "hedged")));
    assertEquals(
        "no system \"hedged\"; allowed: stock, throttle,"
            + " order-host, order-full, host, within-50ms, within-100ms, within-200ms, levels, full,"
            + " bound,"
            + " no-gets, stock-local, stock-bfq, ionice-local, ionice-local-bfq, host-local, full-local, bound-local, all",
        refused.getMessage());
  }

  @Test
  void allCellsAreDistinct() {
    List<Cell> cells = all(3).cells();
    assertEquals(cells.size(), ids(cells).size());
  }

  @Test
  void theOrderHasAllCellsAndFewSwitches() {
    List<Cell> cells = usual(3).cells();
    // Three deployments in each of two repetitions, two in the third.
    assertOrder(cells, 7);
    // Three deployments more in each.
    assertOrder(all(3).cells(), 16);
  }

  private static void assertOrder(List<Cell> cells, int switches) {
    List<Cell> order = MixedPlan.order(cells, 5);
    assertEquals(cells.size(), order.size());
    assertEquals(new HashSet<>(cells), new HashSet<>(order));
    assertTrue(
        MixedPlan.switches(order) <= switches, () -> MixedPlan.switches(order) + " switches");
    int repetition = 0;
    for (Cell cell : order) {
      assertTrue(cell.repetition() >= repetition, order::toString);
      repetition = cell.repetition();
    }
  }

  @Test
  void theOrderIsRandomButRepeatable() {
    List<Cell> cells = usual(2).cells();
    assertEquals(MixedPlan.order(cells, 5), MixedPlan.order(cells, 5));
    assertNotEquals(MixedPlan.order(cells, 5), MixedPlan.order(cells, 6));
    assertNotEquals(cells, MixedPlan.order(cells, 5));
  }

  private static Deployment deployment(MixedSystem system) {
    return all(1).cells().stream()
        .filter(cell -> MixedPlan.system(cell) == system)
        .map(Deployment::of)
        .findFirst()
        .orElseThrow();
  }

  @Test
  void whatDiffersOutsideTheDaemonsNeedsNoRestart() {
    Deployment order = deployment(MixedSystem.ORDER_HOST);
    assertEquals(
        "hadoop-prio; datanode: dfs.datanode.io.priority.scheduler = order", order.toString());
    assertEquals(order, deployment(MixedSystem.ORDER_FULL));
    assertNotEquals(order, deployment(MixedSystem.HOST));
    assertEquals(Deployment.STOCK, deployment(MixedSystem.STOCK_BFQ));
    assertEquals(deployment(MixedSystem.STOCK_LOCAL), deployment(MixedSystem.IONICE_LOCAL));
    assertEquals(deployment(MixedSystem.STOCK_LOCAL), deployment(MixedSystem.IONICE_LOCAL_BFQ));
    assertEquals(Deployment.STOCK, deployment(MixedSystem.THROTTLE));
    assertEquals(Deployment.STOCK, deployment(MixedSystem.BOUND));
  }

  @Test
  void onlyTheSchedulersSettingsAreChangedWithoutARestart() {
    Deployment turns = deployment(MixedSystem.FULL);
    Deployment order = deployment(MixedSystem.ORDER_HOST);
    assertFalse(turns.needsRestartAfter(order));
    assertFalse(turns.needsRestartAfter(turns));
    Deployment local = deployment(MixedSystem.STOCK_LOCAL);
    for (Deployment other : List.of(Deployment.STOCK, local)) {
      assertTrue(turns.needsRestartAfter(other), other::toString);
      assertTrue(other.needsRestartAfter(turns), other::toString);
    }
    assertTrue(local.needsRestartAfter(Deployment.STOCK));
  }

  @Test
  void stockHasDeploymentsOfItsOwnToo() {
    Deployment local = deployment(MixedSystem.STOCK_LOCAL);
    assertFalse(local.hasAgent());
    assertNotEquals(Deployment.STOCK, local);
    String socket = local.conf(Role.DATANODE).get("dfs.domain.socket.path");
    assertEquals(socket, local.conf(Role.REGIONSERVER).get("dfs.domain.socket.path"));
    assertEquals(
        List.of(
            "-D", "dfs.client.read.shortcircuit=true", "-D", "dfs.domain.socket.path=" + socket),
        local.clientOptions());
    assertEquals(local, deployment(MixedSystem.BOUND_LOCAL));
  }

  @Test
  void withShortCircuitHadoopPrioHasTheSameSchedulerAndClients() {
    Deployment stock = deployment(MixedSystem.STOCK_LOCAL);
    Deployment turns = deployment(MixedSystem.FULL);
    Deployment local = deployment(MixedSystem.FULL_LOCAL);
    assertEquals(local, deployment(MixedSystem.HOST_LOCAL));
    assertTrue(local.hasAgent());
    assertTrue(local.needsRestartAfter(turns));
    assertTrue(local.needsRestartAfter(stock));
    Map<String, String> dataNode = new TreeMap<>(turns.conf(Role.DATANODE));
    dataNode.putAll(stock.conf(Role.DATANODE));
    assertEquals(dataNode, local.conf(Role.DATANODE));
    assertEquals(stock.conf(Role.REGIONSERVER), local.conf(Role.REGIONSERVER));
    assertEquals(stock.clientOptions(), local.clientOptions());
  }

  @Test
  void whatLeavesNothingToMeasureIsRefused() {
    assertRefused(
        "nothing to measure: throttle is measured with load open beside streams16, wordcount,"
            + " rowcounter; no-gets is measured with load open beside streams16",
        EnumSet.of(MixedSystem.THROTTLE, MixedSystem.NO_GETS),
        BACKGROUNDS,
        EnumSet.of(GetLoad.OPEN60));
    assertRefused(
        "nothing to measure: host is measured with load open beside streams16, wordcount,"
            + " rowcounter, and with load open60 beside streams16",
        EnumSet.of(MixedSystem.HOST),
        EnumSet.of(Background.WORDCOUNT),
        EnumSet.of(GetLoad.OPEN60));
    assertRefused(
        "no background is what system bound has; it cannot be chosen as a background",
        EnumSet.of(MixedSystem.FULL),
        EnumSet.of(Background.NONE),
        EnumSet.of(GetLoad.OPEN));
  }

  private static void assertRefused(
      String message, Set<MixedSystem> systems, Set<Background> backgrounds, Set<GetLoad> loads) {
    assertEquals(
        message,
        assertThrows(
                IllegalArgumentException.class,
                () -> MixedPlan.of(systems, backgrounds, loads, 1, 60))
            .getMessage());
  }

  @Test
  void thePlanSaysHowLongItTakes() {
    String text = usual(3).describe();
    assertTrue(text.matches("\\d+ cells .*streams16.*, about \\d+ minutes .*"), text);
  }
}
