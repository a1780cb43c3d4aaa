// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.lab.bench.ownwork;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import org.hadoopprio.lab.bench.experiment.Cell;
import org.hadoopprio.lab.bench.experiment.CellResult;
import org.hadoopprio.lab.bench.experiment.Findings;
import org.hadoopprio.lab.bench.experiment.Target;
import org.junit.jupiter.api.Test;

class OwnWorkFindingsTest {

  private static final int REPETITIONS = 3;

  private final CompactionsExperiment compactions =
      new CompactionsExperiment(false, OwnWorkDrive.WRITE_BACK, REPETITIONS, Path.of("unused"));

  private double p99 = 100;
  private double stockP99 = 200;
  private double ownMb = 85;
  private boolean valid = true;

  private CellResult result(Cell cell) {
    boolean ours = cell.factor("system").equals("defaults");
    ObjectNode measured = new ObjectMapper().createObjectNode();
    measured.putObject("client").put("p99_ms", ours ? p99 : stockP99);
    measured.putObject("own").put("mb_per_s", ours ? ownMb : 100);
    measured.putObject("gate").put("valid", valid).putArray("reasons").add("late");
    return new CellResult(cell, measured);
  }

  private Findings findings() {
    List<CellResult> results = new ArrayList<>();
    compactions.plan().forEach(cell -> results.add(result(cell)));
    return compactions.evaluate(results);
  }

  private static List<String> missed(Findings findings) {
    return findings.targets().stream()
        .filter(Target::missed)
        .map(target -> target.what().split(" ", 2)[0])
        .collect(Collectors.toList());
  }

  @Test
  void targetsAreMetAtTheirBounds() {
    Findings findings = findings();
    assertEquals(2, findings.targets().size());
    assertTrue(findings.targets().stream().allMatch(Target::met), findings.targets().toString());
    assertTrue(findings.passed());
  }

  @Test
  void eachTargetCanBeMissed() {
    stockP99 = 199;
    assertEquals(List.of("p99"), missed(findings()));
    stockP99 = 200;
    ownMb = 84;
    assertEquals(List.of("throughput"), missed(findings()));
  }

  @Test
  void aGateThatDoesNotHoldInvalidatesTheRun() {
    valid = false;
    assertEquals(compactions.plan().size(), findings().invalid().size());
  }

  @Test
  void whatWasNotMeasuredIsNeitherMetNorMissed() {
    Findings findings = compactions.evaluate(List.of());
    assertEquals(2, findings.targets().size());
    assertTrue(findings.targets().stream().noneMatch(t -> t.met() || t.missed()));
  }

  @Test
  void theTwoOfAPairAreNextToEachOtherAndTakeTurnsInBeingTheFirst() {
    List<Cell> cells = compactions.order(compactions.plan(), 1);
    assertEquals(cells.size(), cells.stream().map(Cell::id).distinct().count());
    for (int i = 0; i < cells.size(); i += 2) {
      Cell first = cells.get(i);
      Cell second = cells.get(i + 1);
      assertEquals(first.factor("condition"), second.factor("condition"));
      assertEquals(first.repetition(), second.repetition());
      assertEquals(first.repetition() % 2 == 0 ? "defaults" : "stock", first.factor("system"));
      assertFalse(first.factor("system").equals(second.factor("system")));
    }
  }

  @Test
  void resultsOfOneDriveAreNotContinuedOnAnother() {
    CompactionsExperiment other =
        new CompactionsExperiment(false, OwnWorkDrive.WRITE_THROUGH, 1, Path.of("unused"));
    assertEquals("write-back", compactions.settings().get("drive"));
    assertEquals("write-through", other.settings().get("drive"));
  }
}
