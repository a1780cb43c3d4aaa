// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.lab.bench.cli;

import java.io.IOException;
import java.util.List;
import org.hadoopprio.lab.cluster.Installation;
import org.hadoopprio.tools.admit.AdmitCommand;
import org.hadoopprio.tools.doctor.DoctorCommand;
import org.hadoopprio.tools.hooks.HooksCommand;
import org.hadoopprio.tools.policy.PolicyCommand;
import org.hadoopprio.tools.prove.ProveCommand;
import org.hadoopprio.tools.top.TopCommand;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The {@code hprio} command. */
@Command(
    name = "hprio",
    description =
        "Carries I/O priorities from HBase and HDFS requests to the kernel and the drive. This is the"
            + " repository's command: it has the commands of a node, doctor, prove, top, admit, policy and"
            + " hooks, and those of the laboratory (demo, bench, cluster; and in bin/hprio: vhdd, wire,"
            + " verify).",
    mixinStandardHelpOptions = true,
    versionProvider = Hprio.Version.class,
    subcommands = {
      DemoCommand.class,
      ClusterCommand.class,
      DoctorCommand.class,
      ProveCommand.class,
      TopCommand.class,
      AdmitCommand.class,
      PolicyCommand.class,
      HooksCommand.class,
      BenchCommand.class
    })
public final class Hprio implements Runnable {

  /** What {@code --version} of every command prints. */
  static final class Version implements CommandLine.IVersionProvider {

    @Override
    public String[] getVersion() throws IOException {
      return new String[] {"hprio " + Installation.version()};
    }
  }

  /** Set by bin/hprio: whether standard error is a terminal. */
  private static final String TERMINAL_PROPERTY = "hprio.terminal";

  private static final int USAGE_WIDTH = 120;

  @Spec private CommandSpec spec;

  /** Whether standard error is a terminal, so that a line can be overwritten. */
  static boolean onTerminal() {
    return Boolean.getBoolean(TERMINAL_PROPERTY);
  }

  /** Runs the command and ends the JVM: 0 when it was done, 1 when it failed, 2 for bad input. */
  public static void main(String[] arguments) {
    System.exit(commandLine(arguments).execute(arguments));
  }

  /**
   * The command.
   *
   * @param arguments among which the file of a plan may be, which is a command of its own
   */
  static CommandLine commandLine(String... arguments) {
    CommandLine hprio = new CommandLine(new Hprio());
    CommandLine bench = hprio.getSubcommands().get("bench");
    // Reading plans takes a while, which other commands need not wait for.
    if (arguments.length == 0 || arguments[0].equals(bench.getCommandName())) {
      PlanCommand.addTo(bench, List.of(arguments));
    }
    return hprio
        .setCaseInsensitiveEnumValuesAllowed(true)
        .setUsageHelpWidth(USAGE_WIDTH)
        .setExecutionExceptionHandler(Hprio::explain);
  }

  /** Prints an error outside of this program as one message, without a stack trace. */
  private static int explain(Exception failure, CommandLine command, CommandLine.ParseResult parsed)
      throws Exception {
    if (!(failure instanceof IOException)) {
      throw failure;
    }
    command.getErr().println("hprio: " + failure.getMessage());
    for (Throwable suppressed : failure.getSuppressed()) {
      command.getErr().println("hprio: also: " + suppressed.getMessage());
    }
    return CommandLine.ExitCode.SOFTWARE;
  }

  @Override
  public void run() {
    throw new ParameterException(spec.commandLine(), "a command is required");
  }
}
