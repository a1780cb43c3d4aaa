// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.lab.bench.overhead;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import org.hadoopprio.lab.bench.bed.ItSupport;
import org.hadoopprio.lab.bench.experiment.Cell;
import org.hadoopprio.lab.bench.experiment.CellResult;
import org.hadoopprio.lab.bench.experiment.Findings;
import org.hadoopprio.lab.cluster.LocalCluster;
import org.junit.jupiter.api.Test;

/** A tiny run with real daemons and clients, in which each state is what its name says. */
class OverheadIT {

  private static final Path DIRECTORY = ItSupport.directory("OverheadIT");

  @Test
  void everyPartIsMeasuredAndOnlyAStatedPriorityIsGranted() throws IOException {
    ItSupport.requireRoot();
    OverheadScale tiny = new OverheadScale(0.5, 2, 0.3);
    List<CellResult> results = new ArrayList<>();
    try (OverheadExperiment experiment =
        new OverheadExperiment(tiny, EnumSet.allOf(OverheadPart.class), 1, true, DIRECTORY)) {
      for (Cell cell : experiment.plan()) {
        results.add(new CellResult(cell, experiment.run(cell, ItSupport.LOG)));
      }
      JsonNode reads = results.get(0).measured();
      for (State state : State.values()) {
        assertEquals(2, reads.path(state.label()).size(), reads::toString);
        for (JsonNode block : reads.path(state.label())) {
          assertTrue(block.path("reads").asLong() > 0, block::toString);
          assertTrue(block.path("daemon_cpu_s").asDouble() > 0, block::toString);
          assertTrue(block.path("client_cpu_s").asDouble() > 0, block::toString);
          assertEquals(
              state.hinted() ? block.path("reads").asLong() : 0,
              block.path("granted").asLong(),
              state.label());
        }
      }
      CellResult starts = results.get(1);
      assertTrue(starts.number("/stock/cpu_s") > 0.1, starts.measured()::toString);
      assertTrue(
          starts.number("/agent/cpu_s") > starts.number("/stock/cpu_s"),
          starts.measured()::toString);
      Findings findings = experiment.evaluate(results);
      assertEquals(2, findings.tables().size());
      assertEquals(4, findings.targets().size());
    }
    assertTrue(LocalCluster.find(DIRECTORY).isEmpty(), "nothing is left running");
  }
}
