// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.lab.bench.cli;

import java.io.IOException;
import java.util.List;
import java.util.concurrent.Callable;
import org.hadoopprio.lab.bench.sensitivity.SensitivityExperiment;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code hprio bench sensitivity}: how far the headlines depend on the drive. */
@Command(
    name = "sensitivity",
    description =
        "Shows how far the ratios of hadoop-prio to stock move when a parameter of the drive is at"
            + " an end of its plausible range, in virtual time, for which no root is needed. About"
            + " 25 minutes, with --quick 3.",
    mixinStandardHelpOptions = true)
final class BenchSensitivityCommand implements Callable<Integer> {

  @Spec private CommandSpec spec;
  @Mixin private BenchOptions options;
  @Mixin private DriveOption drive;

  @Option(
      names = "--range",
      paramLabel = "KEY=LOW..HIGH",
      description =
          "Only this parameter, between these values, as in seek_avg_ns=6ms..8ms; may be repeated.")
  private List<String> ranges = List.of();

  @Override
  public Integer call() throws IOException {
    options.named(SensitivityExperiment.NAME + drive.suffix());
    try {
      return options.run(
          SensitivityExperiment.of(
              drive.drive(), options.quick(), options.usualRepetitions(), ranges),
          true);
    } catch (IllegalArgumentException e) {
      throw new ParameterException(spec.commandLine(), e.getMessage(), e);
    }
  }
}
