// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.lab.bench.cli;

import java.io.IOException;
import java.util.List;
import java.util.concurrent.Callable;
import org.hadoopprio.lab.bench.device.DeviceExperiment;
import org.hadoopprio.lab.bench.sensitivity.SensitivityExperiment;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code hprio bench device}: the virtual disk beside published drives. */
@Command(
    name = "device",
    description =
        "Measures the virtual hard disk without Hadoop: queue depths, priorities, duration limits"
            + " and schedulers, compared with published measurements of drives. Needs root. About"
            + " 25 minutes, with --quick under 5. With --sensitivity instead: how far the ratios of"
            + " hadoop-prio to stock move when a parameter of the drive is at an end of its"
            + " plausible range, in virtual time, for which no root is needed.",
    mixinStandardHelpOptions = true)
final class BenchDeviceCommand implements Callable<Integer> {

  @Spec private CommandSpec spec;
  @Mixin private BenchOptions options;
  @Mixin private DriveOption drive;

  @Option(
      names = "--sensitivity",
      description = "Varies each parameter of the drive model over its plausible range.")
  private boolean sensitivity;

  @Option(
      names = "--range",
      paramLabel = "KEY=LOW..HIGH",
      description =
          "With --sensitivity: only this parameter, between these values, as in"
              + " seek_avg_ns=6ms..8ms; may be repeated.")
  private List<String> ranges = List.of();

  @Override
  public Integer call() throws IOException {
    if (sensitivity) {
      return varyTheDrive();
    }
    if (!ranges.isEmpty()) {
      throw new ParameterException(
          spec.commandLine(), "--range=" + ranges.get(0) + ": allowed with --sensitivity only");
    }
    if (!drive.suffix().isEmpty()) {
      throw new ParameterException(
          spec.commandLine(),
          "--drive=" + drive.drive().preset() + ": allowed with --sensitivity only");
    }
    return options.run(
        new DeviceExperiment(options.directory(), options.quick(), options.repetitions(1)));
  }

  private int varyTheDrive() throws IOException {
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
