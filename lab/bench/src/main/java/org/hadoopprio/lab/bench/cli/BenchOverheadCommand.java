package org.hadoopprio.lab.bench.cli;

import java.io.IOException;
import java.util.EnumSet;
import java.util.Set;
import java.util.concurrent.Callable;
import org.hadoopprio.lab.bench.overhead.OverheadExperiment;
import org.hadoopprio.lab.bench.overhead.OverheadPart;
import org.hadoopprio.lab.bench.overhead.OverheadSettings;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code hprio bench overhead}: what hadoop-prio costs where there is nothing to gain. */
@Command(
    name = "overhead",
    description =
        "Compares stock Hadoop and HBase with hadoop-prio on an idle machine. Part hints: throughput"
            + " and CPU time per operation without and with hints, all data in memory, and the"
            + " start of a DataNode. Part engines: CPU time per read and throughput of each of the"
            + " DataNode's engines, at 64 KiB and 1 MiB, cached and uncached (needs root for loop"
            + " devices). Part scheduler: packets per second and CPU time per packet of one"
            + " DataNode with its scheduler of disk time off and on, over 16 streams, cached, not"
            + " cached on a device in memory, and beside 4096 reads that are held open (needs root"
            + " and 4 GiB of memory). Part tasks: what the agent adds to the start of a MapReduce"
            + " task. About 45 minutes, with --quick about 15. Run nothing else"
            + " meanwhile; --repeat narrows the intervals.",
    mixinStandardHelpOptions = true,
    versionProvider = Hprio.Version.class)
final class BenchOverheadCommand implements Callable<Integer> {

  @Mixin private BenchOptions options;

  @Option(
      names = "--parts",
      paramLabel = "LIST",
      split = ",",
      description = "Only these: hints, engines, scheduler, tasks (default: all).")
  private Set<OverheadPart> parts = EnumSet.allOf(OverheadPart.class);

  @Override
  public Integer call() throws IOException {
    OverheadSettings settings =
        options.quick() ? OverheadSettings.quick() : OverheadSettings.full();
    return options.run(
        new OverheadExperiment(
            settings.rounds(options.repetitions(settings.hdfsRounds())).only(parts),
            options.directory().resolve("cluster")));
  }
}
