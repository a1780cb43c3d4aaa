// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.lab.disk;

import java.util.Locale;

/** The drives that a virtual disk can be: the presets of {@code vhdd}. */
public enum Drive {
  /** Calibrated against the tables of SDC 2021; p99 575 ms with 32 random reads at the drive. */
  SDC21,

  /** A drive of 22 TB, against the measurements of cdl-tools; p99 323 ms likewise. */
  CDLTOOLS23;

  /** The name of the preset. */
  public String preset() {
    return name().toLowerCase(Locale.ROOT);
  }
}
