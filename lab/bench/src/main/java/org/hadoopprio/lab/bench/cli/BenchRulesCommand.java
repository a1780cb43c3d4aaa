// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.lab.bench.cli;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import org.hadoopprio.lab.bench.rules.RulesOfScheduler;
import org.hadoopprio.lab.cluster.Installation;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code hprio bench rules}: what each rule of the scheduler is for. */
@Command(
    name = "rules",
    description =
        "Takes away each rule of the DataNode's scheduler (lab/bench/rules.yaml), one at a time, runs all"
            + " cells in virtual time, and writes docs/design/rules.md. Needs no root. About 20 minutes.",
    mixinStandardHelpOptions = true)
final class BenchRulesCommand implements Callable<Integer> {

  private static final int LEAST_SEEDS = 3;

  @Spec private CommandSpec spec;

  @Option(
      names = "--seeds",
      paramLabel = "COUNT",
      defaultValue = "8",
      description = "How many times each cell runs, 3 or more (default: ${DEFAULT-VALUE}).")
  private int seeds;

  @Option(
      names = "--rule",
      paramLabel = "NAME",
      description = "Only this one; may be repeated. Its line is printed, and no page is written.")
  private List<String> names = List.of();

  @Override
  public Integer call() throws IOException {
    if (seeds < LEAST_SEEDS) {
      throw new ParameterException(spec.commandLine(), "--seeds must be 3 or more, not " + seeds);
    }
    Path home = Path.of(System.getProperty(Installation.HOME_PROPERTY, "."));
    try {
      RulesOfScheduler.of(home).run(names, seeds, spec.commandLine().getErr());
    } catch (IllegalArgumentException e) {
      throw new ParameterException(spec.commandLine(), e.getMessage(), e);
    }
    return 0;
  }
}
