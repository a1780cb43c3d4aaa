// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.lab.bench.mixed;

import java.util.LinkedHashMap;
import java.util.Map;
import org.hadoopprio.lab.workload.YcsbTable;

/** The sizes and lengths of the experiment. Immutable. */
final class MixedScale {

  private static final long MIB = 1 << 20;

  /**
   * Records well below the size at which a block of 57,344 bytes and its last record no longer fit
   * into one request of 64 KiB.
   */
  private static final int READ_FIELD_BYTES = 2_000;

  /** RowCounter's work grows with rows, the disk's with bytes: large rows make the disk work. */
  private static final int COUNT_FIELD_BYTES = 8_000;

  private final int seconds;
  private final int rampSeconds;
  private final int warmUpSeconds;
  private final long tableBytes;
  private final long countTableBytes;
  private final long textBytes;
  private final int streams;
  private final long streamBytes;
  private final long diskBytes;

  private MixedScale(
      int seconds,
      int rampSeconds,
      int warmUpSeconds,
      long tableMib,
      long countTableMib,
      long textMib,
      int streams,
      long streamMib,
      long diskMib) {
    this.seconds = seconds;
    this.rampSeconds = rampSeconds;
    this.warmUpSeconds = warmUpSeconds;
    this.tableBytes = tableMib * MIB;
    this.countTableBytes = countTableMib * MIB;
    this.textBytes = textMib * MIB;
    this.streams = streams;
    this.streamBytes = streamMib * MIB;
    this.diskBytes = diskMib * MIB;
  }

  /**
   * The usual one.
   *
   * @param seconds how long a cell is measured after its ramp
   */
  static MixedScale full(int seconds) {
    return new MixedScale(seconds, 10, 6, 1100, 6144, 1024, 32, 128, 13 * 1024);
  }

  /** A small one, to see whether all of it works. */
  static MixedScale tiny() {
    return new MixedScale(5, 1, 2, 96, 16, 8, 16, 16, 2048);
  }

  /** Room for what compaction replaces; it goes some time later. */
  private long spareBytes(MixedPlan plan) {
    return plan.backgrounds().contains(Background.ROWCOUNTER) ? countTableBytes : 0;
  }

  /** The same without what no cell of a plan uses. */
  MixedScale onlyFor(MixedPlan plan) {
    boolean anyStreams = plan.backgrounds().stream().anyMatch(b -> b.streams() > 0);
    return new MixedScale(
        seconds,
        rampSeconds,
        warmUpSeconds,
        tableBytes / MIB,
        plan.backgrounds().contains(Background.ROWCOUNTER) ? countTableBytes / MIB : 0,
        plan.backgrounds().contains(Background.WORDCOUNT) ? textBytes / MIB : 0,
        anyStreams ? streams : 0,
        streamBytes / MIB,
        (diskBytes + spareBytes(plan)) / MIB);
  }

  /** How long a cell is measured after its ramp. */
  int seconds() {
    return seconds;
  }

  int rampSeconds() {
    return rampSeconds;
  }

  /** How long a RegionServer that was just started is read from before cells. */
  int warmUpSeconds() {
    return warmUpSeconds;
  }

  /** The table that Gets read. */
  YcsbTable readTable() {
    return new YcsbTable("usertable", READ_FIELD_BYTES, tableBytes);
  }

  /** The table that RowCounter reads. */
  YcsbTable countTable() {
    return new YcsbTable("counttable", COUNT_FIELD_BYTES, countTableBytes);
  }

  boolean hasCountTable() {
    return countTableBytes > 0;
  }

  /** Wordcount's text; 0 for none. */
  long textBytes() {
    return textBytes;
  }

  /** How many streams have a file. */
  int streams() {
    return streams;
  }

  long streamBytes() {
    return streamBytes;
  }

  long diskBytes() {
    return diskBytes;
  }

  /** What makes results comparable. */
  Map<String, String> settings() {
    Map<String, String> settings = new LinkedHashMap<>();
    settings.put("seconds per cell", Integer.toString(seconds));
    settings.put("ramp before, seconds", Integer.toString(rampSeconds));
    settings.put("open loop, Gets/s", Double.toString(GetLoad.OPEN.getsPerSecond()));
    settings.put("table, MiB", Long.toString(tableBytes / MIB));
    settings.put("RowCounter's table, MiB", Long.toString(countTableBytes / MIB));
    settings.put("wordcount's text, MiB", Long.toString(textBytes / MIB));
    settings.put("disk, MiB", Long.toString(diskBytes / MIB));
    settings.put("file of a stream, MiB", Long.toString(streamBytes / MIB));
    return settings;
  }
}
