// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.lab.bench.latency;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
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
import org.hadoopprio.lab.bench.experiment.EnumNames;
import org.hadoopprio.lab.bench.experiment.Findings;
import org.hadoopprio.lab.bench.experiment.SystemsExperiment;
import org.hadoopprio.lab.bench.experiment.Target;
import org.junit.jupiter.api.Test;

class LatencyFindingsTest {

  private static final int REPETITIONS = 3;

  private final OutputsExperiment outputs =
      new OutputsExperiment(
          false, EnumSet.allOf(OutputsSystem.class), REPETITIONS, Path.of("unused"));
  private final MultiGetExperiment multiGets =
      new MultiGetExperiment(
          false, EnumSet.allOf(MultiGetSystem.class), REPETITIONS, Path.of("unused"));

  private double inTime = 1;
  private double containers = 180;
  private double arrivalP99 = 190;
  private double togetherMean = 58;
  private int multiGetsEach = 1000;
  private boolean valid = true;

  private CellResult result(Cell cell) {
    String system = cell.factor("system");
    ObjectNode measured = new ObjectMapper().createObjectNode();
    ObjectNode client = measured.putObject("client");
    if (cell.factor("condition").endsWith("-per-s")) {
      client.put("in_time_per_s", 5 * (system.equals("containers") ? inTime : 0.1));
      client.put("reads_per_s", 5);
      measured.put("disk_mb_per_s", system.equals("containers") ? containers : 100);
    } else {
      client.put("mean_ms", system.equals("together") ? togetherMean : 100);
      client.put("reads", multiGetsEach);
      client.put("p99_ms", system.equals("order-of-arrival") ? arrivalP99 : 100);
    }
    measured.putObject("gate").put("valid", valid).putArray("reasons").add("late");
    return new CellResult(cell, measured);
  }

  private Findings findings(SystemsExperiment<?> experiment) {
    List<CellResult> results = new ArrayList<>();
    experiment.plan().forEach(cell -> results.add(result(cell)));
    return experiment.evaluate(results);
  }

  private static List<String> missed(Findings findings) {
    return findings.targets().stream()
        .filter(Target::missed)
        .map(Target::what)
        .collect(Collectors.toList());
  }

  @Test
  void targetsAreMetAtTheirBounds() {
    for (SystemsExperiment<?> experiment : List.of(outputs, multiGets)) {
      Findings findings = findings(experiment);
      assertTrue(findings.targets().stream().allMatch(Target::met), findings.targets().toString());
      assertTrue(findings.passed());
    }
  }

  @Test
  void aPercentileOfFewReadsIsNotShown() {
    assertTrue(rows(findings(multiGets)).contains("190"), "of 1000");
    multiGetsEach = 999;
    String rows = rows(findings(multiGets));
    assertFalse(rows.contains("190"), rows);
    assertTrue(rows.contains("-"), rows);
  }

  private static String rows(Findings findings) {
    return findings.tables().get(0).rows().toString();
  }

  @Test
  void eachTargetOfOutputsCanBeMissed() {
    inTime = 0.99;
    assertEquals(List.of("outputs in time with containers / required"), missed(findings(outputs)));
    inTime = 1;
    containers = 179;
    assertEquals(
        List.of("throughput of the disk, containers / own-deadlines"), missed(findings(outputs)));
  }

  @Test
  void eachTargetOfMultiGetsCanBeMissed() {
    arrivalP99 = 189;
    assertEquals(
        List.of("p99 of multi-gets, order-of-arrival / together"), missed(findings(multiGets)));
    arrivalP99 = 190;
    togetherMean = 59;
    assertEquals(List.of("mean of multi-gets, together / each"), missed(findings(multiGets)));
  }

  @Test
  void aGateThatDoesNotHoldInvalidatesTheRun() {
    valid = false;
    for (SystemsExperiment<?> experiment : List.of(outputs, multiGets)) {
      assertEquals(experiment.plan().size(), findings(experiment).invalid().size());
      assertFalse(findings(experiment).passed());
    }
  }

  @Test
  void whatWasNotMeasuredIsNeitherMetNorMissed() {
    for (SystemsExperiment<?> experiment : List.of(outputs, multiGets)) {
      Findings findings = experiment.evaluate(List.of());
      assertFalse(findings.targets().isEmpty());
      assertTrue(findings.targets().stream().allMatch(t -> t.state() == Target.State.NOT_MEASURED));
    }
  }

  @Test
  void theSystemsOfALoadAreNextToEachOtherInTurnsForwardsAndBackwards() {
    List<String> ids =
        outputs.order(outputs.plan(), 1).stream().map(Cell::id).collect(Collectors.toList());
    assertEquals(ids.size(), ids.stream().distinct().count());
    assertEquals(
        List.of("5-per-s_own-deadlines_r1", "5-per-s_containers_r1", "5-per-s_containers_r2"),
        ids.subList(0, 3));
  }

  @Test
  void aSystemThatThereIsNotIsRefused() {
    assertEquals(
        "no system \"fast\"; allowed: own-deadlines, containers, all",
        assertThrows(
                IllegalArgumentException.class,
                () -> EnumNames.named(OutputsSystem.class, List.of("containers", "fast")))
            .getMessage());
    assertEquals(2, EnumNames.named(OutputsSystem.class, List.of("all")).size());
  }

  @Test
  void aConstantThatThereIsNotIsCalledByItsType() {
    assertEquals(
        "no OutputsSystem \"broken\"; allowed: own-deadlines, containers",
        assertThrows(
                IllegalArgumentException.class, () -> EnumNames.of(OutputsSystem.class, "broken"))
            .getMessage());
  }
}
