// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.lab.bench.cli;

import org.hadoopprio.lab.bench.ownwork.OwnWorkDrive;
import picocli.CommandLine.Option;

/** How the drives of {@code bench puts} and {@code bench rebuild} are set. */
final class DriveOption {

  @Option(
      names = "--drive",
      paramLabel = "SETTING",
      defaultValue = "write-back",
      description =
          "write-back (the default: drives and kernel as they come) or write-through (write cache"
              + " off, async_depth 4, as the doctor advises beside such work).")
  private OwnWorkDrive drive;

  OwnWorkDrive get() {
    return drive;
  }
}
