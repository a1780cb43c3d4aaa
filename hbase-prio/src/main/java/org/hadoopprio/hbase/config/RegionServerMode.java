// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.hbase.config;

import java.util.Locale;

/** What a RegionServer does with the priorities of its calls. */
public enum RegionServerMode {
  /** Serves calls by them. */
  ON,
  /** Serves calls as stock HBase, and counts what it would do. */
  OBSERVE,
  /** Nothing. */
  OFF;

  /**
   * Reads the text form.
   *
   * @throws IllegalArgumentException saying what is allowed
   */
  static RegionServerMode parse(String text) {
    for (RegionServerMode mode : values()) {
      if (mode.toString().equals(text)) {
        return mode;
      }
    }
    throw new IllegalArgumentException("allowed: on, observe or off");
  }

  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT);
  }
}
