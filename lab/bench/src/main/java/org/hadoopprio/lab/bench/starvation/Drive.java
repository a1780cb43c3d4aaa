// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.lab.bench.starvation;

import org.hadoopprio.lab.bench.experiment.EnumNames;

/** What the virtual drive makes of priorities. */
public enum Drive {
  /** It knows none, as most drives. */
  PLAIN("ncq"),
  /** Its queue serves real-time first. */
  PRIORITY("prio");

  private final String mode;

  Drive(String mode) {
    this.mode = mode;
  }

  /** The virtual disk's mode. */
  String mode() {
    return mode;
  }

  /** For people. */
  String label() {
    return "drive " + (this == PLAIN ? "without" : "with") + " priority";
  }

  /** The value of the factor. */
  @Override
  public String toString() {
    return EnumNames.text(this);
  }
}
