package org.hadoopprio.lab.bench.starvation;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.List;
import org.hadoopprio.lab.bench.experiment.Cell;
import org.hadoopprio.lab.bench.experiment.CellResult;
import org.hadoopprio.lab.bench.experiment.Findings;
import org.hadoopprio.lab.bench.experiment.Target;
import org.junit.jupiter.api.Test;

class StarvationFindingsTest {

  private static final double SHARE = 0.6;
  private static final double STOCK_MB = 80;
  private static final double BOUND_P95 = 50;

  private final StarvationPlan plan = new StarvationPlan(SHARE, false, 1);

  /** Every cell of the plan, with figures for the default share that the test chooses. */
  private List<CellResult> results(double shareMb, double shareP95, boolean valid) {
    List<CellResult> results = new ArrayList<>();
    for (Cell cell : plan.cells()) {
      ReaderSystem system = plan.system(cell);
      boolean share = system.equals(plan.defaultSystem());
      ObjectNode measured = new ObjectMapper().createObjectNode();
      if (system.background()) {
        ObjectNode background = measured.putObject("background");
        background.put("mb_per_s", share ? shareMb : STOCK_MB);
        background.put("longest_wait_ms", 900);
      }
      if (!StarvationPlan.load(cell).equals(RealtimeLoad.NONE)) {
        ObjectNode realtime = measured.putObject("realtime");
        realtime.put("p95_ms", share ? shareP95 : BOUND_P95);
        realtime.put("mean_ms", 20);
        realtime.put("reads_per_s", 100);
      }
      ObjectNode gate = measured.putObject("gate");
      gate.put("valid", valid);
      gate.putArray("reasons").add("late");
      results.add(new CellResult(cell, measured));
    }
    return results;
  }

  private Findings findings(double shareMb, double shareP95) {
    return new StarvationFindings(plan, results(shareMb, shareP95, true)).draw();
  }

  @Test
  void targetsAreMetAtTheirBounds() {
    Findings findings = findings(STOCK_MB / 4, BOUND_P95 * 2);
    assertEquals(2 * StarvationPlan.CLOSED.size(), findings.targets().size());
    assertTrue(findings.targets().stream().allMatch(Target::met), findings.targets().toString());
    assertTrue(findings.passed());
  }

  @Test
  void tooLittleBackgroundIsMissed() {
    Findings findings = findings(STOCK_MB / 4 - 1, BOUND_P95);
    assertEquals(
        StarvationPlan.CLOSED.size(), findings.targets().stream().filter(Target::missed).count());
    assertFalse(findings.passed());
  }

  @Test
  void tooLongReadsAreMissed() {
    Findings findings = findings(STOCK_MB, BOUND_P95 * 2 + 1);
    assertEquals(
        StarvationPlan.CLOSED.size(), findings.targets().stream().filter(Target::missed).count());
    assertFalse(findings.passed());
  }

  @Test
  void whatWasNotMeasuredIsNeitherMetNorMissed() {
    Findings findings = new StarvationFindings(plan, List.of()).draw();
    assertEquals(2 * StarvationPlan.CLOSED.size(), findings.targets().size());
    assertTrue(findings.targets().stream().noneMatch(t -> t.met() || t.missed()));
    assertTrue(findings.figures().isEmpty());
  }

  @Test
  void aGateThatDoesNotHoldInvalidatesTheRun() {
    Findings findings = new StarvationFindings(plan, results(STOCK_MB, BOUND_P95, false)).draw();
    assertEquals(plan.cells().size(), findings.invalid().size());
    assertTrue(findings.invalid().get(0).contains("late"));
    assertFalse(findings.passed());
  }

  @Test
  void everySystemHasARowUnderEveryLoadItWasMeasuredAt() {
    Findings findings = findings(STOCK_MB, BOUND_P95);
    int rows = findings.tables().stream().mapToInt(table -> table.rows().size()).sum();
    // The load without real-time reads is in both tables.
    assertEquals(plan.cells().size() + 1, rows);
    assertEquals(6, findings.figures().size());
  }

  @Test
  void loadsAreReadBack() {
    for (RealtimeLoad load :
        List.of(RealtimeLoad.NONE, RealtimeLoad.closed(16), RealtimeLoad.open(75))) {
      assertEquals(load, RealtimeLoad.parse(load.toString()));
    }
  }
}
