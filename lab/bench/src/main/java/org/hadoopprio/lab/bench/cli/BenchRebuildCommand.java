// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.lab.bench.cli;

import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import org.hadoopprio.lab.bench.ownwork.RebuildExperiment;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code hprio bench rebuild}. */
@Command(
    name = "rebuild",
    description =
        "Has three DataNodes, each on a virtual disk, copy lost replicas, on idle disks and beside"
            + " reads, in pairs: without priorities, and with the DataNodes' roles and reads at"
            + " real-time. About 10 minutes, with --quick under 4. Needs root and 8 GiB of memory"
            + " for the disks.",
    mixinStandardHelpOptions = true)
final class BenchRebuildCommand implements Callable<Integer> {

  private static final int REPETITIONS = 3;

  @Mixin private BenchOptions options;
  @Mixin private SystemsOption systems;
  @Mixin private DriveOption drive;

  @Override
  public Integer call() throws IOException {
    int repetitions = options.repetitions(options.quick() ? 1 : REPETITIONS);
    Path cluster = options.directory().resolve("cluster");
    try (RebuildExperiment experiment =
        new RebuildExperiment(systems.get(), drive.get(), repetitions, cluster)) {
      return options.run(experiment);
    }
  }
}
