// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.lab.bench.ownwork;

import java.util.Map;

/** How much the experiment on Puts writes and how long it measures. Immutable. */
final class PutsScale {

  /**
   * The table is a few times as large as a DataNode's page cache, and a percentile of 99 has six
   * Puts beyond it.
   */
  static final PutsScale FULL = new PutsScale(768L << 20, 20, 60);

  static final PutsScale QUICK = new PutsScale(768L << 20, 12, 30);

  private final long tableBytes;
  private final int aloneSeconds;
  private final int besideSeconds;

  PutsScale(long tableBytes, int aloneSeconds, int besideSeconds) {
    this.tableBytes = tableBytes;
    this.aloneSeconds = aloneSeconds;
    this.besideSeconds = besideSeconds;
  }

  /** The values of the table, in bytes. */
  long tableBytes() {
    return tableBytes;
  }

  /** How long Puts alone are measured. */
  int aloneSeconds() {
    return aloneSeconds;
  }

  /** How long Puts beside compactions are measured. */
  int besideSeconds() {
    return besideSeconds;
  }

  /** What makes results comparable. */
  Map<String, String> settings() {
    return Map.of(
        "table-bytes", Long.toString(tableBytes),
        "alone-seconds", Integer.toString(aloneSeconds),
        "beside-seconds", Integer.toString(besideSeconds),
        "puts-per-second", Integer.toString(PutsBed.PUTS_PER_SECOND),
        "put-bytes", Integer.toString(PutsBed.PUT_BYTES));
  }
}
