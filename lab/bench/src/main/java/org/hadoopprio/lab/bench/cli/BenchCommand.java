// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.lab.bench.cli;

import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code hprio bench}: the experiments. */
@Command(
    name = "bench",
    description =
        "Runs an experiment of the laboratory, or of a plan's file (PLAN.yaml), and writes its results"
            + " as JSON, a PNG image for each figure and a report (report.md). Ctrl-C stops it and keeps what is measured; the same"
            + " command resumes it.",
    footer = {
      "",
      "Exit status: 0 no target is missed (some may be undetermined: their bounds lie within the"
          + " 95 %% confidence interval), 1 a target is missed or the run could not be finished, 2 bad"
          + " input, 3 missing packages, 4 the results are invalid: a validity gate does not hold."
    },
    mixinStandardHelpOptions = true,
    subcommands = {BenchSensitivityCommand.class, BenchRulesCommand.class})
final class BenchCommand implements Runnable {

  @Spec private CommandSpec spec;

  @Override
  public void run() {
    throw new ParameterException(spec.commandLine(), "an experiment is required");
  }
}
