package org.hadoopprio.bench.cli;

import java.io.IOException;
import java.util.concurrent.Callable;
import org.hadoopprio.bench.engines.EnginesExperiment;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code hprio bench engines}: what a DataNode's engines cost. */
@Command(
    name = "engines",
    description =
        "Compares stock zero-copy reads with the DataNode's engines thread, direct and ncq: CPU time"
            + " of the DataNode per read and throughput, at 64 KiB and 1 MiB, with the data cached"
            + " and not. Needs root for loop devices. Leave the machine alone meanwhile.",
    mixinStandardHelpOptions = true,
    versionProvider = Hprio.Version.class)
final class BenchEnginesCommand implements Callable<Integer> {

  private static final int ROUNDS = 4;
  private static final int BLOCKS = 6;
  private static final int QUICK_ROUNDS = 2;
  private static final int QUICK_BLOCKS = 2;

  @Mixin private BenchOptions options;

  @Override
  public Integer call() throws IOException {
    return options.run(
        new EnginesExperiment(
            options.repetitions(options.quick() ? QUICK_ROUNDS : ROUNDS),
            options.quick() ? QUICK_BLOCKS : BLOCKS,
            options.directory().resolve("cluster")));
  }
}
