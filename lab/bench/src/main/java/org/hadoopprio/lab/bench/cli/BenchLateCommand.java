// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.lab.bench.cli;

import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import org.hadoopprio.lab.bench.late.LateExperiment;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code hprio bench late}. */
@Command(
    name = "late",
    description =
        "Measures reads of HDFS files with three replicas while one of the three virtual disks is"
            + " slow or hangs: stock, with hedged reads, and with a latency target. About 19"
            + " minutes, with --quick 4. Needs root and 4 GiB of memory for the disks.",
    mixinStandardHelpOptions = true)
final class BenchLateCommand implements Callable<Integer> {

  private static final int REPETITIONS = 3;

  @Mixin private BenchOptions options;

  @Override
  public Integer call() throws IOException {
    int repetitions = options.repetitions(options.quick() ? 1 : REPETITIONS);
    Path cluster = options.directory().resolve("cluster");
    try (LateExperiment experiment = new LateExperiment(options.quick(), repetitions, cluster)) {
      return options.run(experiment);
    }
  }
}
