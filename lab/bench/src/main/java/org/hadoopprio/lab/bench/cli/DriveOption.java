// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.lab.bench.cli;

import org.hadoopprio.lab.disk.Drive;
import org.hadoopprio.lab.disk.VirtualDisk;
import picocli.CommandLine.Option;

/** The option that says which drive the virtual disk is. */
final class DriveOption {

  @Option(
      names = "--drive",
      paramLabel = "sdc21|cdltools23",
      description =
          "The drive that the virtual disk is: sdc21 (the default), or cdltools23, one of 22 TB that"
              + " answers 32 random reads sooner (p99 323 ms instead of 575).")
  private Drive drive = VirtualDisk.DRIVE;

  Drive drive() {
    return drive;
  }

  /** What the name of a directory of results has of it. */
  String suffix() {
    return drive == VirtualDisk.DRIVE ? "" : "-" + drive.preset();
  }
}
