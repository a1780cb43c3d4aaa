package org.hadoopprio.lab.bench.cli;

import java.io.IOException;
import java.util.concurrent.Callable;
import org.hadoopprio.lab.bench.device.DeviceExperiment;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code hprio bench device}: the virtual disk beside published drives. */
@Command(
    name = "device",
    description =
        "Measures the virtual hard disk without Hadoop: queue depths, priorities, duration limits"
            + " and schedulers, compared with published measurements of drives. Needs root. About"
            + " 32 minutes, with --quick under 5.",
    mixinStandardHelpOptions = true)
final class BenchDeviceCommand implements Callable<Integer> {

  @Mixin private BenchOptions options;

  @Override
  public Integer call() throws IOException {
    return options.run(
        new DeviceExperiment(options.directory(), options.quick(), options.repetitions(1)));
  }
}
