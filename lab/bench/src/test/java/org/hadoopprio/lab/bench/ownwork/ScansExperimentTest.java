// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.lab.bench.ownwork;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.List;
import java.util.stream.Collectors;
import org.hadoopprio.lab.bench.experiment.Cell;
import org.hadoopprio.lab.bench.experiment.CellResult;
import org.hadoopprio.lab.bench.experiment.Findings;
import org.hadoopprio.lab.bench.experiment.Target;
import org.junit.jupiter.api.Test;

class ScansExperimentTest {

  private final ScansExperiment experiment =
      new ScansExperiment(
          false,
          EnumSet.of(OwnWorkSystem.STOCK, OwnWorkSystem.BALANCED),
          OwnWorkDrive.WRITE_BACK,
          3,
          Path.of("unused"));

  private static CellResult result(Cell cell, double p50, double p99) {
    boolean ours = cell.factor("system").equals("balanced");
    ObjectNode measured = new ObjectMapper().createObjectNode();
    measured.putObject("client").put("p50_ms", ours ? p50 : 2).put("p99_ms", ours ? p99 : 20);
    measured.putObject("gate").put("valid", true);
    return new CellResult(cell, measured);
  }

  private Findings findings(double p50, double p99) {
    return experiment.evaluate(
        experiment.plan().stream()
            .map(cell -> result(cell, p50, p99))
            .collect(Collectors.toList()));
  }

  @Test
  void bothDurabilitiesAreMeasuredInPairs() {
    List<String> cells =
        experiment.plan().stream().map(Cell::id).limit(4).collect(Collectors.toList());
    assertEquals(
        List.of(
            "sync-wal_stock_r1",
            "sync-wal_balanced_r1",
            "async-wal_stock_r1",
            "async-wal_balanced_r1"),
        cells);
  }

  @Test
  void latenciesMayBeAFewPercentLongerThanStocks() {
    Findings met = findings(2.1, 21);
    assertEquals(4, met.targets().size());
    assertTrue(met.targets().stream().allMatch(Target::met), met.targets().toString());
    assertEquals(2, findings(2.11, 21).targets().stream().filter(Target::missed).count());
    assertEquals(2, findings(2.1, 21.1).targets().stream().filter(Target::missed).count());
  }
}
