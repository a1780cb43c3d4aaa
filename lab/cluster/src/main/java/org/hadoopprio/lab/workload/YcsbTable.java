// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.lab.workload;

/** A table of YCSB's records, of one field each. Immutable. */
public final class YcsbTable {

  /** The column family of all of them. */
  public static final String FAMILY = "f";

  /** What HBase adds to a field: the row's key, names, time and lengths. */
  private static final int OVERHEAD_BYTES = 80;

  private final String name;
  private final int fieldBytes;
  private final long records;

  /**
   * A table of an approximate size.
   *
   * @param fieldBytes the length of each record's field
   * @param bytes the approximate size of the table in HBase
   */
  public YcsbTable(String name, int fieldBytes, long bytes) {
    this.name = name;
    this.fieldBytes = fieldBytes;
    this.records = Math.max(1, bytes / (fieldBytes + OVERHEAD_BYTES));
  }

  public String name() {
    return name;
  }

  /** The length of each record's field. */
  public int fieldBytes() {
    return fieldBytes;
  }

  public long records() {
    return records;
  }

  /** The approximate size of the table in HBase. */
  public long bytes() {
    return records * (fieldBytes + OVERHEAD_BYTES);
  }
}
