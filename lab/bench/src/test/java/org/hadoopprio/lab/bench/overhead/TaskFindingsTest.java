package org.hadoopprio.lab.bench.overhead;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.hadoopprio.lab.bench.experiment.Cell;
import org.hadoopprio.lab.bench.experiment.CellResult;
import org.hadoopprio.lab.bench.experiment.Findings;
import org.hadoopprio.lab.bench.experiment.Target;
import org.junit.jupiter.api.Test;

class TaskFindingsTest {

  /** Three rounds in which stock takes 2.0 and 2.2 CPU seconds, one after the other. */
  private static Findings findings(double agentCpu) {
    List<CellResult> results = new ArrayList<>();
    for (int round = 1; round <= 3; round++) {
      ObjectNode measured = JsonNodeFactory.instance.objectNode();
      ObjectNode starts = measured.putObject("starts");
      put(starts, Variant.STOCK, 2.0 + round * 0.01);
      put(starts, Variant.CONTROL, 2.2 + round * 0.01);
      put(starts, Variant.UNHINTED, agentCpu + round * 0.01);
      Cell cell =
          new Cell(Map.of(OverheadExperiment.FACTOR, OverheadExperiment.TASK_START), round, 1);
      results.add(new CellResult(cell, measured));
    }
    OverheadSettings tasks = OverheadSettings.full().only(Set.of(OverheadPart.TASKS));
    return new OverheadExperiment(tasks, Path.of("unused")).evaluate(results);
  }

  private static void put(ObjectNode starts, Variant variant, double cpu) {
    starts.putObject(variant.label()).put(StartUps.SECONDS, 1).put(StartUps.CPU, cpu);
  }

  @Test
  void theAgentIsComparedWithTheMeanOfBothStocks() {
    Findings findings = findings(2.5);
    assertEquals("the agent adds 0.40 s of CPU to a task's start", findings.summary());
    Target target = findings.targets().get(0);
    assertTrue(target.met(), target.toString());
    assertEquals(1, findings.tables().size());
    assertTrue(findings(2.7).targets().get(0).missed());
  }

  @Test
  void nothingMeasuredIsNoTargetMet() {
    OverheadSettings tasks = OverheadSettings.full().only(Set.of(OverheadPart.TASKS));
    Findings findings = new OverheadExperiment(tasks, Path.of("unused")).evaluate(List.of());
    assertFalse(findings.targets().get(0).met());
    assertTrue(findings.tables().isEmpty());
  }
}
