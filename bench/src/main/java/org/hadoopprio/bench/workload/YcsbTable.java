package org.hadoopprio.bench.workload;

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
   * A table of about a size.
   *
   * @param fieldBytes the length of each record's field
   * @param bytes what the table takes in HBase, about
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

  /** What the table takes in HBase, about. */
  public long bytes() {
    return records * (fieldBytes + OVERHEAD_BYTES);
  }
}
