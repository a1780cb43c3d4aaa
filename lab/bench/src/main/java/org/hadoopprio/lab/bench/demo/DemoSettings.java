// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.lab.bench.demo;

import org.hadoopprio.IoPriority;
import org.hadoopprio.lab.workload.YcsbTable;

/**
 * How large the demo is.
 *
 * @param seconds how long the reads beside the scans are measured, with each system
 * @param perSecond reads per second
 * @param tableMib the size of the table YCSB reads, in MiB
 * @param scanMib the size of each of the scanned files, in MiB
 */
public record DemoSettings(int seconds, int perSecond, int tableMib, int scanMib) {
  private static final String READ_TABLE = "usertable";

  private static final int FIELD_BYTES = 1000;

  static final IoPriority READ_PRIORITY = IoPriority.realtime(0);
  static final IoPriority SCAN_PRIORITY = IoPriority.IDLE;

  /** Enough for one to be free whenever a read arrives. */
  static final int READ_THREADS = 64;

  /** Long enough for YCSB's and the RegionServer's code to be compiled. */
  static final int RAMP_SECONDS = 10;

  /** YCSB writes the histogram of a second one second later. */
  static final int HISTOGRAM_SECONDS = 2;

  /** How many files are scanned at the same time. */
  static final int SCANS = 16;

  private static final long MIB = 1 << 20;

  public DemoSettings {
    seconds = positive("seconds", seconds);
    perSecond = positive("reads per second", perSecond);
    tableMib = positive("table size", tableMib);
    scanMib = positive("size of scanned files", scanMib);
  }

  private static int positive(String what, int value) {
    if (value < 1) {
      throw new IllegalArgumentException(what + " must be 1 or more, not " + value);
    }
    return value;
  }

  YcsbTable readTable() {
    return new YcsbTable(READ_TABLE, FIELD_BYTES, tableMib * MIB);
  }

  long scanFileBytes() {
    return scanMib * MIB;
  }
}
