package org.hadoopprio.bench.cli;

import java.io.IOException;
import java.util.concurrent.Callable;
import org.hadoopprio.bench.overhead.OverheadExperiment;
import org.hadoopprio.bench.overhead.OverheadSettings;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code hprio bench overhead}: what hadoop-prio costs where there is nothing to gain. */
@Command(
    name = "overhead",
    description =
        "Compares stock Hadoop and HBase with hadoop-prio, without and with hints, on an idle"
            + " machine with all data in memory: throughput, CPU time per operation, start-up of a"
            + " DataNode. Leave the machine alone meanwhile; --repeat narrows the intervals.",
    mixinStandardHelpOptions = true,
    versionProvider = Hprio.Version.class)
final class BenchOverheadCommand implements Callable<Integer> {

  @Mixin private BenchOptions options;

  @Override
  public Integer call() throws IOException {
    OverheadSettings settings =
        options.quick() ? OverheadSettings.quick() : OverheadSettings.full();
    return options.run(
        new OverheadExperiment(
            settings.rounds(options.repetitions(settings.hdfsRounds())),
            options.directory().resolve("cluster")));
  }
}
