// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.disktime;

/** The classes between which disk time is divided. */
public enum DiskClass {
  REALTIME("rt"),
  BEST_EFFORT("be"),
  IDLE("idle");

  private final String shortName;

  DiskClass(String shortName) {
    this.shortName = shortName;
  }

  /** As metrics and people name it. */
  public String shortName() {
    return shortName;
  }
}
