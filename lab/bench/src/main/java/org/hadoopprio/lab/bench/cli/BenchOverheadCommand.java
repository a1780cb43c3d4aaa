// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.lab.bench.cli;

import java.io.IOException;
import java.util.EnumSet;
import java.util.Set;
import java.util.concurrent.Callable;
import org.hadoopprio.lab.bench.overhead.OverheadExperiment;
import org.hadoopprio.lab.bench.overhead.OverheadPart;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code hprio bench overhead}: what hadoop-prio costs where there is nothing to gain. */
@Command(
    name = "overhead",
    description =
        "Measures what hadoop-prio costs where there is nothing to gain. Part reads: the CPU time of"
            + " a read from the page cache in modes off, observe and turns, and with a priority, all"
            + " in the same processes (needs root for a loop device). Part task: what the agent"
            + " adds to the start of a MapReduce task. Under 14 minutes, with --quick under 8. Run"
            + " nothing else meanwhile.",
    mixinStandardHelpOptions = true,
    versionProvider = Hprio.Version.class)
final class BenchOverheadCommand implements Callable<Integer> {

  @Mixin private BenchOptions options;

  @Option(
      names = "--parts",
      paramLabel = "LIST",
      split = ",",
      description = "Only these: reads, task (default: all).")
  private Set<OverheadPart> parts = EnumSet.allOf(OverheadPart.class);

  @Override
  public Integer call() throws IOException {
    return options.run(
        new OverheadExperiment(parts, options.repetitions(0), options.quick(), options.cluster()));
  }
}
