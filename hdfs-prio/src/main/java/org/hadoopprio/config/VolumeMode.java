// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.config;

import java.util.Locale;

/** What hadoop-prio does with the reads of a volume. */
public enum VolumeMode {
  /** Nothing: stock reads without an I/O class. */
  OFF,
  /** Stock reads, too, but what the other modes would do is counted. */
  OBSERVE,
  /** Each read has its I/O class in the kernel; none waits in the DataNode. */
  ORDER,
  /** Besides, reads wait for their turn at the disk. */
  TURNS;

  /** All of them, for people. */
  public static final String ALLOWED = "off, observe, order or turns";

  /** Whether reads and writes are those of stock HDFS. */
  public boolean isStock() {
    return this == OFF || this == OBSERVE;
  }

  /**
   * Reads the text form.
   *
   * @throws IllegalArgumentException saying what is allowed
   */
  public static VolumeMode parse(String text) {
    for (VolumeMode mode : values()) {
      if (mode.toString().equals(text)) {
        return mode;
      }
    }
    throw new IllegalArgumentException("\"" + text + "\" is not " + ALLOWED);
  }

  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT);
  }
}
