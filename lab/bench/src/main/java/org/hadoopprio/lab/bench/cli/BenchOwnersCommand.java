// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.lab.bench.cli;

import java.io.IOException;
import java.util.concurrent.Callable;
import org.hadoopprio.lab.bench.owners.OwnersExperiment;
import org.hadoopprio.lab.bench.owners.OwnersScale;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code hprio bench owners}: whose are the bytes at the disks? */
@Command(
    name = "owners",
    description =
        "Has HBase, MapReduce, HDFS clients and all that DataNodes do of their own accord work at the"
            + " same time, each at a priority of its own, kills a DataNode in the middle, and finds"
            + " the owner of each request that the disks have seen. Checks all data at the end."
            + " About 9 minutes, with --quick about 3. Needs root, Linux 6.11 and 8 GiB of memory.",
    mixinStandardHelpOptions = true,
    versionProvider = Hprio.Version.class)
final class BenchOwnersCommand implements Callable<Integer> {

  private static final int REPETITIONS = 1;

  @Spec private CommandSpec spec;

  @Mixin private BenchOptions options;

  @Option(
      names = "--seconds",
      paramLabel = "COUNT",
      description = "For how long all of it works (default: 300, with --quick 60; 40 or more).")
  private Integer seconds;

  @Override
  public Integer call() throws IOException {
    OwnersScale scale = options.quick() ? OwnersScale.quick() : OwnersScale.full();
    if (seconds != null) {
      try {
        scale = scale.seconds(seconds);
      } catch (IllegalArgumentException e) {
        throw new ParameterException(spec.commandLine(), e.getMessage(), e);
      }
    }
    return options.run(
        new OwnersExperiment(scale, options.repetitions(REPETITIONS), options.cluster()), true);
  }
}
