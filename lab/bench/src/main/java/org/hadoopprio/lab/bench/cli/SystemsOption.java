// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.lab.bench.cli;

import java.util.List;
import java.util.Set;
import org.hadoopprio.lab.bench.experiment.EnumNames;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Which of the systems that an experiment knows it measures. */
final class SystemsOption {

  @Spec(Spec.Target.MIXEE)
  private CommandSpec spec;

  @Option(
      names = "--systems",
      paramLabel = "LIST",
      split = ",",
      description = "Only these systems; or all that there are: all.")
  private List<String> systems;

  /** The systems that were named, by default some. */
  <S extends Enum<S>> Set<S> get(Class<S> all, Set<S> byDefault) {
    try {
      return systems == null ? byDefault : EnumNames.named(all, systems);
    } catch (IllegalArgumentException e) {
      throw new ParameterException(spec.commandLine(), "--systems: " + e.getMessage(), e);
    }
  }
}
