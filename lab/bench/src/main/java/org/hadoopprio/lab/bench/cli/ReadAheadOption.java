// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.lab.bench.cli;

import org.hadoopprio.lab.disk.ReadAhead;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The option of commands on virtual disks that says how much the kernel reads ahead. */
final class ReadAheadOption {

  @Spec(Spec.Target.MIXEE)
  private CommandSpec spec;

  /** All disks that this process makes have it, and so do the settings of its results. */
  @Option(
      names = "--read-ahead",
      paramLabel = "old|new|KIB",
      description =
          "How much the kernel reads ahead on the virtual disk: old (128 KiB, what Linux before 6.17"
              + " gives a SATA disk that rotates), new (8192, what it gives since), or 0 to 65536 KiB"
              + " (default: what the running kernel gives). Each has results of its own.")
  void readAhead(String text) {
    try {
      ReadAhead.parse(text);
    } catch (IllegalArgumentException e) {
      throw new ParameterException(spec.commandLine(), "--read-ahead: " + e.getMessage(), e);
    }
    System.setProperty(ReadAhead.PROPERTY, text);
  }

  /** Ends the command where the read-ahead cannot be known. */
  void requireKnown() {
    try {
      ReadAhead.byDefault();
    } catch (IllegalArgumentException e) {
      throw new ParameterException(spec.commandLine(), e.getMessage(), e);
    }
  }
}
