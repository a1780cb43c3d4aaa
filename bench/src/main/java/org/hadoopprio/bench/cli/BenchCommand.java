package org.hadoopprio.bench.cli;

import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code hprio bench}: the experiments. */
@Command(
    name = "bench",
    description =
        "Measures, and writes JSON, a PNG image per figure and one HTML report. Ctrl-C keeps what"
            + " is measured; the same command goes on from there.",
    footer = {
      "",
      "Exit status: 0 the results count and meet the targets, 1 a target is missed or the run could"
          + " not be finished, 2 bad input, 3 missing packages, 4 the validity gate does not hold."
    },
    mixinStandardHelpOptions = true,
    subcommands = {
      BenchDeviceCommand.class,
      BenchEnginesCommand.class,
      BenchMixedCommand.class,
      BenchOverheadCommand.class,
      BenchStarvationCommand.class
    })
final class BenchCommand implements Runnable {

  @Spec private CommandSpec spec;

  @Override
  public void run() {
    throw new ParameterException(spec.commandLine(), "say what to measure");
  }
}
