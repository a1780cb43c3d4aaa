// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.lab.bench.cli;

import java.io.IOException;
import java.util.concurrent.Callable;
import org.hadoopprio.lab.bench.ownwork.CompactionsExperiment;
import org.hadoopprio.lab.bench.ownwork.OwnWorkDrive;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code hprio bench ownwork}: what a cluster does of its own accord beside its clients. */
@Command(
    name = "ownwork",
    description =
        "Measures Puts whose log is synced, alone and beside major compactions, on a virtual disk, in"
            + " pairs: stock, without priorities, and with the defaults. About 11 minutes, with"
            + " --quick under 4. Needs root and up to 5 GiB of memory for the disk.",
    mixinStandardHelpOptions = true)
final class BenchOwnWorkCommand implements Callable<Integer> {

  @Mixin private BenchOptions options;
  @Mixin private ReadAheadOption readAhead;

  @Option(
      names = "--drive",
      paramLabel = "SETTING",
      defaultValue = "write-back",
      description =
          "write-back (the default: drives and kernel as they come) or write-through (write cache"
              + " off, async_depth 4, as the doctor advises beside such work).")
  private OwnWorkDrive drive;

  @Override
  public Integer call() throws IOException {
    readAhead.requireKnown();
    return options.run(
        new CompactionsExperiment(
            options.quick(), drive, options.usualRepetitions(), options.cluster()));
  }
}
