package org.hadoopprio.lab.bench.overhead;

import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/** How much is measured. Immutable. */
public final class OverheadSettings {

  private static final double SCHEDULER_WARM_UP_S = 6;

  private final int hdfsRounds;
  private final int hbaseRounds;
  private final int startUpRounds;
  private final int blocks;
  private final double blockSeconds;
  private final double warmUpShare;
  private final int engineRounds;
  private final int engineBlocks;
  private final SchedulerScale scheduler;
  private final int taskRounds;

  /**
   * Says how much; a part of 0 rounds is left out.
   *
   * @param blockSeconds how long a block of hints is
   * @param warmUpShare 1 for {@link ClientOperation#warmUp} operations, less for fewer
   * @param scheduler of the scheduler of disk time
   * @param taskRounds how many tasks of each variant are started
   */
  OverheadSettings(
      int hdfsRounds,
      int hbaseRounds,
      int startUpRounds,
      int blocks,
      double blockSeconds,
      double warmUpShare,
      int engineRounds,
      int engineBlocks,
      SchedulerScale scheduler,
      int taskRounds) {
    this.hdfsRounds = hdfsRounds;
    this.hbaseRounds = hbaseRounds;
    this.startUpRounds = startUpRounds;
    this.blocks = blocks;
    this.blockSeconds = blockSeconds;
    this.warmUpShare = warmUpShare;
    this.engineRounds = engineRounds;
    this.engineBlocks = engineBlocks;
    this.scheduler = scheduler;
    this.taskRounds = taskRounds;
  }

  /** About 14 minutes for hints, 12 for engines, 15 for the scheduler and 4 for tasks. */
  public static OverheadSettings full() {
    SchedulerScale scheduler = new SchedulerScale(4, 9, 1, SchedulerScale.DATA_XCEIVERS, 32);
    return new OverheadSettings(5, 3, 3, 16, 0.25, 1, 4, 6, scheduler, 20);
  }

  /**
   * Under 5 minutes for hints, 4 for engines, 4 for the scheduler and 2 for tasks: too few rounds
   * for narrow intervals.
   */
  public static OverheadSettings quick() {
    SchedulerScale scheduler = new SchedulerScale(2, 1, 1, SchedulerScale.DATA_XCEIVERS, 32);
    return new OverheadSettings(2, 2, 1, 6, 0.25, 0.6, 2, 2, scheduler, 10);
  }

  /**
   * The same with another number of rounds; with the present one nothing changes.
   *
   * @param rounds how many times all processes are started anew, 1 or more
   */
  public OverheadSettings rounds(int rounds) {
    return rounds == hdfsRounds
        ? this
        : with(
            rounds, rounds, rounds, rounds, scheduler.rounds(rounds), Math.max(rounds, taskRounds));
  }

  /** The same without the parts that are not named. */
  public OverheadSettings only(Set<OverheadPart> parts) {
    boolean hints = parts.contains(OverheadPart.HINTS);
    return with(
        hints ? hdfsRounds : 0,
        hints ? hbaseRounds : 0,
        hints ? startUpRounds : 0,
        parts.contains(OverheadPart.ENGINES) ? engineRounds : 0,
        parts.contains(OverheadPart.SCHEDULER) ? scheduler : scheduler.rounds(0),
        parts.contains(OverheadPart.TASKS) ? taskRounds : 0);
  }

  private OverheadSettings with(
      int hdfs, int hbase, int startUp, int engine, SchedulerScale ofScheduler, int tasks) {
    return new OverheadSettings(
        hdfs,
        hbase,
        startUp,
        blocks,
        blockSeconds,
        warmUpShare,
        engine,
        engineBlocks,
        ofScheduler,
        tasks);
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

  /** How many times the DataNodes with engines are started anew. */
  int engineRounds() {
    return engineRounds;
  }

  /** How many blocks of each engine are measured for one kind of read in one round. */
  int engineBlocks() {
    return engineBlocks;
  }

  /** How much is measured of the scheduler of disk time. */
  SchedulerScale scheduler() {
    return scheduler;
  }

  /** How many tasks of each variant are started. */
  int taskRounds() {
    return taskRounds;
  }

  /**
   * How long a block of hints is, in seconds; not of engines, whose blocks are a number of reads.
   */
  double blockSeconds() {
    return blockSeconds;
  }

  /**
   * How many of an operation each variant does in new processes before the first is measured, all
   * at the same time.
   */
  long warmUp(ClientOperation operation) {
    return Math.max(1, Math.round(operation.warmUp() * warmUpShare));
  }

  /** How long a DataNode serves streams in each mode of its scheduler before it is measured. */
  double schedulerWarmUpSeconds() {
    return SCHEDULER_WARM_UP_S * warmUpShare;
  }

  /** What makes results comparable; more rounds and parts can be added to existing results. */
  Map<String, String> toMap() {
    Map<String, String> map = new TreeMap<>();
    map.put("blocks per variant", Integer.toString(blocks));
    map.put("block seconds", Double.toString(blockSeconds));
    map.put("warm-up share", Double.toString(warmUpShare));
    map.put("file MiB", Integer.toString(LoadClient.FILE_BYTES >> 20));
    map.put("pread bytes", Integer.toString(LoadClient.PREAD_BYTES));
    map.put("row bytes", Integer.toString(LoadClient.VALUE_BYTES));
    map.put("engines, blocks per variant", Integer.toString(engineBlocks));
    map.put("engines, file MiB", Integer.toString(EnginesBed.FILE_BYTES >> 20));
    map.put("scheduler", scheduler.toString());
    map.put("scheduler, streams", Integer.toString(SchedulerBed.STREAMS));
    map.put("scheduler, packet bytes", Integer.toString(SchedulerBed.PACKET_BYTES));
    map.put("hints", SideBySide.HINT + ", and none in the same processes");
    return map;
  }
}
