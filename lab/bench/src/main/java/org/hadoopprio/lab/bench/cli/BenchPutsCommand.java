package org.hadoopprio.lab.bench.cli;

import java.io.IOException;
import java.util.concurrent.Callable;
import org.hadoopprio.lab.bench.ownwork.PutsExperiment;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code hprio bench puts}. */
@Command(
    name = "puts",
    description =
        "Measures Puts whose log is synced to a virtual disk, alone and beside major compactions,"
            + " in pairs: without priorities, and with those of the RegionServer's roles. About 11"
            + " minutes, with --quick under 4. Needs root and 5 GiB of memory for the disk.",
    mixinStandardHelpOptions = true)
final class BenchPutsCommand implements Callable<Integer> {

  private static final int REPETITIONS = 3;

  @Mixin private BenchOptions options;

  @Override
  public Integer call() throws IOException {
    int repetitions = options.repetitions(options.quick() ? 1 : REPETITIONS);
    try (PutsExperiment experiment =
        new PutsExperiment(options.quick(), repetitions, options.directory().resolve("cluster"))) {
      return options.run(experiment);
    }
  }
}
