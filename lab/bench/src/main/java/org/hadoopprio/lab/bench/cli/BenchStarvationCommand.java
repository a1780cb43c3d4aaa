// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.lab.bench.cli;

import java.io.IOException;
import java.util.Set;
import java.util.concurrent.Callable;
import org.hadoopprio.lab.bench.starvation.StarvationExperiment;
import org.hadoopprio.lab.bench.starvation.StarvationPart;
import org.hadoopprio.lab.bench.starvation.StarvationPlan;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code hprio bench starvation}. */
@Command(
    name = "starvation",
    description =
        "Compares stock HDFS with the DataNode's scheduler of disk time on one virtual disk. Part"
            + " readers: 16 streams beside 1 to 128 real-time readers, random and sequential. Part"
            + " streams: 16 streams and one, alone. Part levels: streams of one priority against"
            + " streams of another on each I/O scheduler. Part short: a short read at lower"
            + " priorities beside 16 streams. Part writers: a real-time reader beside 4 writers."
            + " About 40 minutes, with --quick 12. Needs root and 8 GiB of memory for the disk.",
    mixinStandardHelpOptions = true)
final class BenchStarvationCommand implements Callable<Integer> {

  private static final int REPETITIONS = 1;

  @Mixin private BenchOptions options;
  @Mixin private ReadAheadOption readAhead;

  @Option(
      names = "--parts",
      paramLabel = "LIST",
      split = ",",
      description =
          "Only these: readers, streams, levels, short, writers (default: all; with --quick, all"
              + " but short and writers).")
  private Set<StarvationPart> parts;

  @Override
  public Integer call() throws IOException {
    readAhead.requireKnown();
    Set<StarvationPart> chosen = parts != null ? parts : StarvationPart.byDefault(options.quick());
    StarvationPlan plan =
        new StarvationPlan(chosen, options.quick(), options.repetitions(REPETITIONS));
    return options.run(new StarvationExperiment(plan, options.cluster()));
  }
}
