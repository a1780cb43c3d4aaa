// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.tools.policy;

import org.hadoopprio.tools.node.InstalledVersion;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code hprio policy}. */
@Command(
    name = "policy",
    description = "Works with policy files: who may ask for which priority.",
    mixinStandardHelpOptions = true,
    versionProvider = InstalledVersion.class,
    subcommands = PolicyCheckCommand.class)
public final class PolicyCommand implements Runnable {

  @Spec private CommandSpec spec;

  /** Runs the command alone, as a node's {@code hprio} does. */
  public static void main(String[] arguments) {
    System.exit(new CommandLine(new PolicyCommand()).execute(arguments));
  }

  @Override
  public void run() {
    throw new ParameterException(spec.commandLine(), "a command is required: check");
  }
}
