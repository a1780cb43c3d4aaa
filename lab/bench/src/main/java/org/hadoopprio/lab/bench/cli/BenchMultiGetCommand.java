// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.lab.bench.cli;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import org.hadoopprio.lab.bench.together.MultiGetExperiment;
import org.hadoopprio.lab.bench.together.MultiGetSystem;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code hprio bench multiget}. */
@Command(
    name = "multiget",
    description =
        "Measures multi-gets of 20 rows of HBase beside 16 streams on a virtual disk: in the order of"
            + " arrival, and with a latency target as one call, as a call for each row one after the"
            + " other, and as calls at once. About 28 minutes, with --quick under 6. Needs root and 8"
            + " GiB of memory.",
    mixinStandardHelpOptions = true)
final class BenchMultiGetCommand implements Callable<Integer> {

  private static final int REPETITIONS = 3;

  @Spec private CommandSpec spec;

  @Mixin private BenchOptions options;

  @Option(
      names = "--systems",
      paramLabel = "LIST",
      split = ",",
      description = "Only these: order-of-arrival, serial, each, together (the default is all).")
  private List<String> systems;

  @Override
  public Integer call() throws IOException {
    int repetitions = options.repetitions(options.quick() ? 1 : REPETITIONS);
    Path cluster = options.directory().resolve("cluster");
    try (MultiGetExperiment experiment =
        new MultiGetExperiment(options.quick(), systems(), repetitions, cluster)) {
      return options.run(experiment);
    }
  }

  private Set<MultiGetSystem> systems() {
    try {
      return systems == null ? MultiGetSystem.byDefault() : MultiGetSystem.named(systems);
    } catch (IllegalArgumentException e) {
      throw new ParameterException(spec.commandLine(), "--systems: " + e.getMessage(), e);
    }
  }
}
