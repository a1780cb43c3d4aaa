// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.lab.bench.cli;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import org.hadoopprio.lab.bench.together.OutputsExperiment;
import org.hadoopprio.lab.bench.together.OutputsSystem;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code hprio bench outputs}. */
@Command(
    name = "outputs",
    description =
        "Measures outputs that a user is shown at 1, 2 and 5 a second, each of 8 reads one after the"
            + " other, beside 16 streams on a virtual disk: with a latency target for each read, with"
            + " one for the reads of an output together, and with fixed mixes. About 26 minutes, with"
            + " --quick under 4. Needs root and 5 GiB of memory for the disk.",
    mixinStandardHelpOptions = true)
final class BenchOutputsCommand implements Callable<Integer> {

  private static final int REPETITIONS = 3;

  @Spec private CommandSpec spec;

  @Mixin private BenchOptions options;

  @Option(
      names = "--systems",
      paramLabel = "LIST",
      split = ",",
      description =
          "Only these: own-deadlines, containers, batch-8, batch-16 (the default is these four) and"
              + " at-once, reads without a target; or all of them: all.")
  private List<String> systems;

  @Override
  public Integer call() throws IOException {
    int repetitions = options.repetitions(options.quick() ? 1 : REPETITIONS);
    Path cluster = options.directory().resolve("cluster");
    try (OutputsExperiment experiment =
        new OutputsExperiment(options.quick(), systems(), repetitions, cluster)) {
      return options.run(experiment);
    }
  }

  private Set<OutputsSystem> systems() {
    try {
      return systems == null ? OutputsSystem.byDefault() : OutputsSystem.named(systems);
    } catch (IllegalArgumentException e) {
      throw new ParameterException(spec.commandLine(), "--systems: " + e.getMessage(), e);
    }
  }
}
