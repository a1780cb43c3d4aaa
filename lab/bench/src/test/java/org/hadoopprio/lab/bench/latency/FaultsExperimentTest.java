// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.lab.bench.latency;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.stream.Collectors;
import org.hadoopprio.lab.bench.experiment.Cell;
import org.hadoopprio.lab.bench.experiment.CellResult;
import org.hadoopprio.lab.bench.experiment.Findings;
import org.hadoopprio.lab.bench.experiment.Target;
import org.junit.jupiter.api.Test;

class FaultsExperimentTest {

  private final FaultsExperiment experiment =
      new FaultsExperiment(false, EnumSet.allOf(FaultsSystem.class), 3, Path.of("unused"));

  private double slowP95 = 26;
  private double hungP95 = 26;
  private double diskReads = 1.01;
  private boolean valid = true;

  private CellResult result(Cell cell) {
    boolean fine = cell.factor("condition").equals("none");
    boolean ours = cell.factor("system").equals("targets");
    double p95 = cell.factor("condition").equals("slow") ? slowP95 : hungP95;
    ObjectNode measured = new ObjectMapper().createObjectNode();
    measured.putObject("client").put("p95_ms", ours ? p95 : 40);
    measured.put("disk_reads", fine || !ours ? 1 : diskReads);
    measured.putObject("gate").put("valid", valid).putArray("reasons").add("late");
    return new CellResult(cell, measured);
  }

  private Findings findings() {
    List<CellResult> results = new ArrayList<>();
    experiment.plan().forEach(cell -> results.add(result(cell)));
    return experiment.evaluate(results);
  }

  private List<String> missed() {
    return findings().targets().stream()
        .filter(Target::missed)
        .map(Target::what)
        .collect(Collectors.toList());
  }

  @Test
  void targetsAreMetAtTheirBounds() {
    Findings findings = findings();
    assertEquals(4, findings.targets().size());
    assertTrue(findings.targets().stream().allMatch(Target::met), findings.targets().toString());
    assertEquals(9, findings.tables().get(0).rows().size());
  }

  @Test
  void eachTargetCanBeMissed() {
    slowP95 = 27;
    assertEquals(List.of("slow disk: p95 with targets / with hedged reads"), missed());
    slowP95 = 26;
    hungP95 = 27;
    assertEquals(List.of("hung disk: p95 with targets / with hedged reads"), missed());
    hungP95 = 26;
    diskReads = 1.02;
    assertEquals(2, missed().size());
  }

  @Test
  void aGateThatDoesNotHoldInvalidatesTheRun() {
    valid = false;
    assertEquals(experiment.plan().size(), findings().invalid().size());
  }

  @Test
  void whatWasNotMeasuredIsNeitherMetNorMissed() {
    Findings findings = experiment.evaluate(List.of());
    assertEquals(4, findings.targets().size());
    assertTrue(findings.targets().stream().noneMatch(t -> t.met() || t.missed()));
  }
}
