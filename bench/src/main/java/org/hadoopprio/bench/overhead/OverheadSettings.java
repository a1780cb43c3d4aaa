package org.hadoopprio.bench.overhead;

import java.util.Map;
import java.util.TreeMap;

/** How much is measured. Immutable. */
public final class OverheadSettings {

  /** An interval over fewer fresh starts says nothing. */
  static final int LEAST_ROUNDS = 2;

  private final int hdfsRounds;
  private final int hbaseRounds;
  private final int startUpRounds;
  private final int blocks;
  private final double blockSeconds;
  private final double warmUpShare;

  /**
   * Says how much.
   *
   * @param blockSeconds how long a block is
   * @param warmUpShare 1 for {@link Operation#warmUp} operations, less for fewer
   */
  OverheadSettings(
      int hdfsRounds,
      int hbaseRounds,
      int startUpRounds,
      int blocks,
      double blockSeconds,
      double warmUpShare) {
    this.hdfsRounds = hdfsRounds;
    this.hbaseRounds = hbaseRounds;
    this.startUpRounds = startUpRounds;
    this.blocks = blocks;
    this.blockSeconds = blockSeconds;
    this.warmUpShare = warmUpShare;
  }

  /** About 14 minutes. */
  public static OverheadSettings full() {
    return new OverheadSettings(5, 3, 3, 16, 0.25, 1);
  }

  /** Under 5 minutes: too few rounds for narrow intervals. */
  public static OverheadSettings quick() {
    return new OverheadSettings(2, 2, 1, 6, 0.25, 0.6);
  }

  /**
   * The same with another number of rounds; with the present one nothing changes.
   *
   * @param rounds how many times all processes are started anew, 1 or more
   */
  public OverheadSettings rounds(int rounds) {
    return rounds == hdfsRounds
        ? this
        : new OverheadSettings(rounds, rounds, rounds, blocks, blockSeconds, warmUpShare);
  }

  /** How many times the HDFS processes are started anew. */
  public int hdfsRounds() {
    return hdfsRounds;
  }

  /** How many times the HBase processes are started anew; that takes far longer. */
  int hbaseRounds() {
    return hbaseRounds;
  }

  /** In how many rounds the start of DataNodes is measured. */
  int startUpRounds() {
    return startUpRounds;
  }

  /** How many blocks of each variant are measured for one operation in one round. */
  int blocks() {
    return blocks;
  }

  /** How long a block is, in seconds. */
  double blockSeconds() {
    return blockSeconds;
  }

  /**
   * How many of an operation each variant does in new processes before the first is measured, all
   * at the same time.
   */
  long warmUp(Operation operation) {
    return Math.max(1, Math.round(operation.warmUp() * warmUpShare));
  }

  /** What makes results comparable; more rounds can be added to those that are there. */
  Map<String, String> toMap() {
    Map<String, String> map = new TreeMap<>();
    map.put("blocks per variant", Integer.toString(blocks));
    map.put("block seconds", Double.toString(blockSeconds));
    map.put("warm-up share", Double.toString(warmUpShare));
    map.put("file MiB", Integer.toString(LoadClient.FILE_BYTES >> 20));
    map.put("pread bytes", Integer.toString(LoadClient.PREAD_BYTES));
    map.put("row bytes", Integer.toString(LoadClient.VALUE_BYTES));
    map.put("hints", SideBySide.HINT + ", and none in the same processes");
    return map;
  }
}
