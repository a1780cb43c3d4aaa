package org.hadoopprio.lab.bench.cli;

import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import org.hadoopprio.lab.bench.ownwork.PutsExperiment;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code hprio bench puts}. */
@Command(
    name = "puts",
    description =
        "Measures Puts whose log is synced to a virtual disk, alone and beside major compactions,"
            + " in pairs: without priorities, and with the defaults; or also in the other profiles. About 11"
            + " minutes, with --quick under 4. Needs root and 5 GiB of memory for the disk.",
    mixinStandardHelpOptions = true)
final class BenchPutsCommand implements Callable<Integer> {

  private static final int REPETITIONS = 3;

  @Mixin private BenchOptions options;
  @Mixin private SystemsOption systems;

  @Override
  public Integer call() throws IOException {
    int repetitions = options.repetitions(options.quick() ? 1 : REPETITIONS);
    Path cluster = options.directory().resolve("cluster");
    try (PutsExperiment experiment =
        new PutsExperiment(options.quick(), systems.get(), repetitions, cluster)) {
      return options.run(experiment);
    }
  }
}
