// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.lab.bench.cli;

import java.io.IOException;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.Set;
import java.util.concurrent.Callable;
import org.hadoopprio.lab.bench.experiment.Experiment;
import org.hadoopprio.lab.bench.ownwork.CompactionsExperiment;
import org.hadoopprio.lab.bench.ownwork.OwnWorkDrive;
import org.hadoopprio.lab.bench.ownwork.OwnWorkSystem;
import org.hadoopprio.lab.bench.ownwork.RebuildExperiment;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code hprio bench ownwork}: what a cluster does of its own accord beside its clients. */
@Command(
    name = "ownwork",
    description =
        "Measures clients beside what a cluster does of its own accord, on virtual disks, in pairs:"
            + " stock, without priorities, and balanced, with the defaults; --systems also knows"
            + " latency-first and throughput-first, the other profiles. Work compactions: Puts whose"
            + " log is synced, alone and beside major compactions. About 11 minutes, with --quick"
            + " under 4. Work rebuild: three DataNodes copy lost replicas, on idle disks and beside"
            + " reads at real-time. About 10 minutes, with --quick under 4. Needs root and up to 9 GiB of memory for the disks.",
    mixinStandardHelpOptions = true)
final class BenchOwnWorkCommand implements Callable<Integer> {

  /** What goes on beside the clients. */
  enum Work {
    COMPACTIONS,
    REBUILD
  }

  @Mixin private BenchOptions options;
  @Mixin private ReadAheadOption readAhead;
  @Mixin private SystemsOption systems;

  @Option(
      names = "--work",
      paramLabel = "WHAT",
      required = true,
      description = "compactions or rebuild.")
  private Work work;

  @Option(
      names = "--drive",
      paramLabel = "SETTING",
      defaultValue = "write-back",
      description =
          "write-back (the default: drives and kernel as they come) or write-through (write cache"
              + " off, async_depth 4, as the doctor advises beside such work).")
  private OwnWorkDrive drive;

  @Override
  public Integer call() throws IOException {
    readAhead.requireKnown();
    options.part(work);
    return options.run(experiment());
  }

  private Experiment experiment() throws IOException {
    Set<OwnWorkSystem> chosen =
        systems.get(OwnWorkSystem.class, EnumSet.of(OwnWorkSystem.STOCK, OwnWorkSystem.BALANCED));
    int repetitions = options.usualRepetitions();
    Path cluster = options.cluster();
    return switch (work) {
      case COMPACTIONS ->
          new CompactionsExperiment(options.quick(), chosen, drive, repetitions, cluster);
      case REBUILD -> new RebuildExperiment(chosen, drive, repetitions, cluster);
    };
  }
}
