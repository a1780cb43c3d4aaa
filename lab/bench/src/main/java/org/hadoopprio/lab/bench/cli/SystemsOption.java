// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.lab.bench.cli;

import java.util.List;
import java.util.Set;
import org.hadoopprio.lab.bench.ownwork.OwnWorkSystem;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Which systems {@code bench puts} and {@code bench rebuild} measure. */
final class SystemsOption {

  @Spec(Spec.Target.MIXEE)
  private CommandSpec spec;

  @Option(
      names = "--systems",
      paramLabel = "LIST",
      split = ",",
      description =
          "Only these: stock, balanced (the default is these two), latency-first and"
              + " throughput-first, the other profiles; or all of them: all.")
  private List<String> systems;

  Set<OwnWorkSystem> get() {
    try {
      return systems == null ? OwnWorkSystem.byDefault() : OwnWorkSystem.named(systems);
    } catch (IllegalArgumentException e) {
      throw new ParameterException(spec.commandLine(), "--systems: " + e.getMessage(), e);
    }
  }
}
