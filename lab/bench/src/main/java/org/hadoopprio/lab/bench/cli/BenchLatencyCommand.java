// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.lab.bench.cli;

import java.io.IOException;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.concurrent.Callable;
import org.hadoopprio.lab.bench.experiment.Experiment;
import org.hadoopprio.lab.bench.latency.MultiGetExperiment;
import org.hadoopprio.lab.bench.latency.MultiGetSystem;
import org.hadoopprio.lab.bench.latency.OutputsExperiment;
import org.hadoopprio.lab.bench.latency.OutputsSystem;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code hprio bench latency}: what latency targets do. */
@Command(
    name = "latency",
    description =
        "Measures reads with latency targets on virtual disks. Load outputs: outputs that a user is"
            + " shown at 5 a second, each of 8 reads one after the other, beside 16"
            + " streams; systems own-deadlines, containers. About 6 minutes, with --quick under 4. Load multigets: 20 rows of"
            + " HBase at a time beside 16 streams; systems order-of-arrival, serial, each, together."
            + " About 28 minutes, with --quick under 6. Needs root and up to 8 GiB of memory for the"
            + " disk.",
    mixinStandardHelpOptions = true)
final class BenchLatencyCommand implements Callable<Integer> {

  /** What is measured. */
  enum Load {
    OUTPUTS,
    MULTIGETS
  }

  @Mixin private BenchOptions options;
  @Mixin private ReadAheadOption readAhead;
  @Mixin private SystemsOption systems;

  @Option(
      names = "--load",
      paramLabel = "WHAT",
      required = true,
      description = "outputs or multigets.")
  private Load load;

  @Override
  public Integer call() throws IOException {
    readAhead.requireKnown();
    options.part(load);
    return options.run(experiment());
  }

  private Experiment experiment() throws IOException {
    boolean quick = options.quick();
    int repetitions = options.usualRepetitions();
    Path cluster = options.cluster();
    return switch (load) {
      case OUTPUTS ->
          new OutputsExperiment(
              quick,
              systems.get(OutputsSystem.class, EnumSet.allOf(OutputsSystem.class)),
              repetitions,
              cluster);
      case MULTIGETS ->
          new MultiGetExperiment(
              quick,
              systems.get(MultiGetSystem.class, EnumSet.allOf(MultiGetSystem.class)),
              repetitions,
              cluster);
    };
  }
}
