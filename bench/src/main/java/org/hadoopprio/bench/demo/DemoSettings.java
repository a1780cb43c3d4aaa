package org.hadoopprio.bench.demo;

import org.hadoopprio.IoPriority;

/** How large the demo is. Immutable. */
public final class DemoSettings {

  static final String READ_TABLE = "usertable";
  static final String COUNT_TABLE = "counttable";
  static final IoPriority READ_PRIORITY = IoPriority.realtime(0);
  static final IoPriority JOB_PRIORITY = IoPriority.IDLE;

  /** Half of the reads carry no priority, so that the two can be compared. */
  static final int PRIORITISED_PERCENT = 50;

  static final int READ_THREADS = 16;

  /** Long enough for YCSB's and the RegionServer's code to be compiled. */
  static final int ALONE_SECONDS = 15;

  private static final long MIB = 1 << 20;

  private final int seconds;
  private final int perSecond;
  private final int tableMib;
  private final int textMib;

  /**
   * A size.
   *
   * @param seconds how long YCSB reads beside the jobs
   * @param perSecond reads per second
   * @param tableMib the size of the table YCSB reads, in MiB; RowCounter's is half as large
   * @param textMib the size of wordcount's text, in MiB
   */
  public DemoSettings(int seconds, int perSecond, int tableMib, int textMib) {
    this.seconds = positive("seconds", seconds);
    this.perSecond = positive("reads per second", perSecond);
    this.tableMib = positive("table size", tableMib);
    this.textMib = positive("text size", textMib);
  }

  private static int positive(String what, int value) {
    if (value < 1) {
      throw new IllegalArgumentException(what + " must be 1 or more, not " + value);
    }
    return value;
  }

  int seconds() {
    return seconds;
  }

  int perSecond() {
    return perSecond;
  }

  long readRecords() {
    return Math.max(1, tableMib * MIB / YcsbClient.RECORD_BYTES);
  }

  long countRecords() {
    return Math.max(1, readRecords() / 2);
  }

  long textBytes() {
    return textMib * MIB;
  }
}
