// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.lab.bench.cli;

import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import org.hadoopprio.lab.bench.ownwork.PutsBesideScansExperiment;
import org.hadoopprio.lab.bench.ownwork.PutsExperiment;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code hprio bench puts}. */
@Command(
    name = "puts",
    description =
        "Measures Puts whose log is synced to a virtual disk, alone and beside major compactions,"
            + " in pairs: without priorities, and with the defaults; or also in the other profiles. About 11"
            + " minutes, with --quick under 4. Needs root and 5 GiB of memory for the disk. With"
            + " --beside=scans, Puts of 30 MB/s that are answered from memory, beside 16 scans: about 10"
            + " minutes, with --quick 3, and 9 GiB.",
    mixinStandardHelpOptions = true)
final class BenchPutsCommand implements Callable<Integer> {

  private static final int REPETITIONS = 3;

  /** What uses the disk beside the Puts. */
  enum Beside {
    COMPACTIONS,
    SCANS
  }

  @Mixin private BenchOptions options;
  @Mixin private SystemsOption systems;
  @Mixin private DriveOption drive;

  @Option(
      names = "--beside",
      paramLabel = "WHAT",
      defaultValue = "COMPACTIONS",
      description = "compactions (the default) or scans.")
  private Beside beside;

  @Override
  public Integer call() throws IOException {
    int repetitions = options.repetitions(options.quick() ? 1 : REPETITIONS);
    Path cluster = options.directory().resolve("cluster");
    if (beside == Beside.SCANS) {
      try (PutsBesideScansExperiment experiment =
          new PutsBesideScansExperiment(
              options.quick(), systems.get(), drive.get(), repetitions, cluster)) {
        return options.run(experiment);
      }
    }
    try (PutsExperiment experiment =
        new PutsExperiment(options.quick(), systems.get(), drive.get(), repetitions, cluster)) {
      return options.run(experiment);
    }
  }
}
