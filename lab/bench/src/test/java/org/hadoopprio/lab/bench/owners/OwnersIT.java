// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.lab.bench.owners;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.hadoopprio.lab.bench.bed.ItSupport;
import org.hadoopprio.lab.bench.experiment.Cell;
import org.hadoopprio.lab.bench.experiment.CellResult;
import org.hadoopprio.lab.bench.experiment.Findings;
import org.hadoopprio.lab.bench.experiment.ReportText;
import org.hadoopprio.lab.bench.experiment.Target;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A short form of the experiment: attribution must not break. */
@Tag("full")
class OwnersIT {

  private static final int SECONDS = 45;

  @Test
  void everyByteHasAnOwner() throws IOException {
    ItSupport.requireRoot();
    Path directory = ItSupport.directory("OwnersIT");
    OwnersScale scale = OwnersScale.quick().seconds(SECONDS);
    Findings findings;
    try (OwnersExperiment experiment = new OwnersExperiment(scale, 1, directory)) {
      Cell cell = experiment.plan().get(0);
      CellResult result = new CellResult(cell, experiment.run(cell, ItSupport.LOG));
      findings = experiment.evaluate(List.of(result));
    }
    findings.tables().forEach(table -> System.err.println(ReportText.of(table)));
    assertEquals(List.of(), findings.invalid());
    assertEquals(
        Map.of(),
        findings.targets().stream()
            .filter(target -> target.decisive() && target.missed())
            .collect(Collectors.toMap(Target::what, Target::toString)));
  }
}
