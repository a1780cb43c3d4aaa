// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.lab.bench.owners;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.fail;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.hadoopprio.lab.bench.experiment.Cell;
import org.hadoopprio.lab.bench.experiment.CellResult;
import org.hadoopprio.lab.bench.experiment.Findings;
import org.hadoopprio.lab.bench.experiment.ReportText;
import org.hadoopprio.lab.bench.experiment.StepLog;
import org.hadoopprio.lab.bench.experiment.Target;
import org.hadoopprio.lab.disk.Privileges;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A short form of the experiment: attribution must not break. */
@Tag("full")
class OwnersIT {

  private static final int SECONDS = 45;

  private static final StepLog LOG =
      new StepLog() {
        @Override
        public void say(String message) {
          System.err.println(message);
        }

        @Override
        public void at(double fraction, String detail) {}
      };

  @Test
  void everyByteHasAnOwner() throws IOException {
    if (!Privileges.isRoot()) {
      missing("root");
    }
    Path directory = Path.of("target", "it", "OwnersIT").toAbsolutePath();
    OwnersScale scale = OwnersScale.quick().seconds(SECONDS);
    Findings findings;
    try (OwnersExperiment experiment = new OwnersExperiment(scale, 1, directory)) {
      Cell cell = experiment.plan().get(0);
      CellResult result = new CellResult(cell, experiment.run(cell, LOG));
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

  /** As in the end-to-end tests: skipped where something is missing, but for CI. */
  private static void missing(String what) {
    if (Boolean.parseBoolean(System.getenv("CI"))) {
      fail("CI must have what the tests need: " + what);
    }
    Assumptions.abort(what);
  }
}
