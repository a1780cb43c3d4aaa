// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.hdfs.datanode.scheduler;

import java.util.concurrent.TimeUnit;
import org.hadoopprio.config.ConfigKey;
import org.hadoopprio.config.VolumeChoice;
import org.hadoopprio.config.VolumeMode;
import org.hadoopprio.disktime.DiskSettings;
import org.hadoopprio.disktime.SlowReads;

/** The configuration keys of the scheduler of disk time. */
public final class SchedulerKeys {

  /** What is done with the reads of each volume. */
  public static final ConfigKey<VolumeChoice<VolumeMode>> MODE =
      new ConfigKey<>(
          "dfs.datanode.io.priority.scheduler",
          "modes",
          "turns",
          ConfigKey.Tag.DATANODE,
          true,
          "How reads of a volume share its disk: "
              + VolumeMode.ALLOWED
              + " for all volumes, DIRECTORY=MODE for one, separated by commas. off: stock reads"
              + " and writes without an I/O class, short-circuit readers on this host included; off"
              + " for all volumes: nothing that the DataNode does has a priority. observe: the"
              + " same, but it counts what each request would be granted, and how many reads turns"
              + " would probably have made wait. order: each read has its I/O class in the kernel."
              + " turns: besides, reads wait for their turn in the DataNode; real-time goes at"
              + " once, within its share, and data in the page cache never waits. A device that"
              + " does not rotate has order in place of turns, unless"
              + " dfs.datanode.io.priority.scheduler.streams is set; one that is not found always"
              + " has it. Example: turns, /data/9=off.",
          text ->
              VolumeChoice.parse(text, VolumeMode.TURNS, VolumeMode.ALLOWED, VolumeMode::parse));

  /** The share of a volume's disk time that real-time reads may use while other reads wait. */
  public static final ConfigKey<Double> SHARE =
      new ConfigKey<>(
          "dfs.datanode.io.priority.realtime.share",
          "number",
          "" + DiskSettings.DEFAULT.realtimeShare(),
          ConfigKey.Tag.DATANODE,
          true,
          "The share of a volume's disk time that real-time reads may use while others wait, in"
              + " mode turns: greater than 0, at most 1.0. Less gives the others more throughput"
              + " and raises real-time latency. Many real-time reads at once have more: what as"
              + " many reads would have without a priority, and 15 % of the time besides, as long"
              + " as the others keep three fifths of what they would have. A burst of 100 ms of disk"
              + " time is free. 1.0: no limit; a few real-time readers that never pause then hold"
              + " all others back. Figures: docs/starvation.md.",
          text -> number(text, 1, "a number greater than 0, at most 1.0"));

  /** The bytes of a turn. */
  public static final ConfigKey<Long> TURN_BYTES =
      new ConfigKey<>(
          "dfs.datanode.io.priority.scheduler.turn.bytes",
          "bytes",
          "" + DiskSettings.DEFAULT.turnBytes(),
          ConfigKey.Tag.DATANODE,
          true,
          "The most bytes that a stream reads in a turn, 65536 to 1073741824. Longer turns give"
              + " more throughput and longer waits.",
          text -> ConfigKey.integer(text, 64 << 10, 1 << 30));

  /** The time of a turn. */
  public static final ConfigKey<Integer> TURN_MILLIS =
      new ConfigKey<>(
          "dfs.datanode.io.priority.scheduler.turn.ms",
          "milliseconds",
          "" + TimeUnit.NANOSECONDS.toMillis(DiskSettings.DEFAULT.turnNanos()),
          ConfigKey.Tag.DATANODE,
          true,
          "The most disk time of a turn, 1 to 10000 ms. With many streams turns are shorter, so"
              + " that each has one within about 0.8 s of what its tenant has of the disk.",
          text -> (int) ConfigKey.integer(text, 1, 10_000));

  /** The weights of best-effort levels. */
  public static final ConfigKey<LevelWeights> WEIGHTS =
      new ConfigKey<>(
          "dfs.datanode.io.priority.scheduler.weights",
          "eight numbers",
          "8,7,6,5,4,3,2,1",
          ConfigKey.Tag.DATANODE,
          true,
          "The weights of streams of levels be:0 to be:7 in mode turns, 1 to 1000 each: waiting"
              + " streams get disk time in proportion. No priority has the weight of be:4.",
          LevelWeights::parse);

  /** The share of idle. */
  public static final ConfigKey<Double> IDLE_SHARE =
      new ConfigKey<>(
          "dfs.datanode.io.priority.scheduler.idle.share",
          "number",
          "" + DiskSettings.DEFAULT.idleShare(),
          ConfigKey.Tag.DATANODE,
          true,
          "The share of the disk time left by real-time that all idle streams together get while"
              + " best-effort streams wait, in mode turns: 0.001 to 0.5.",
          text -> {
            double share = number(text, 0.5, "a number from 0.001 to 0.5");
            if (share < 0.001) {
              throw new IllegalArgumentException("allowed: a number from 0.001 to 0.5");
            }
            return share;
          });

  /** When a read is slow. */
  public static final ConfigKey<Integer> SLOW_MILLIS =
      new ConfigKey<>(
          "dfs.datanode.io.priority.scheduler.slow.ms",
          "milliseconds",
          "" + TimeUnit.NANOSECONDS.toMillis(DiskSettings.DEFAULT.slowNanos()),
          ConfigKey.Tag.DATANODE,
          true,
          "A read that waits longer for the disk in mode turns is slow, 0 to 20000 ms; 0: none is."
              + " Slow reads are counted, and the last "
              + SlowReads.MOST
              + " of each disk are remembered with those who had it meanwhile: hprio top --slow.",
          text -> (int) ConfigKey.integer(text, 0, 20_000));

  /** How many streams have a turn together. */
  public static final ConfigKey<Integer> STREAMS =
      new ConfigKey<>(
          "dfs.datanode.io.priority.scheduler.streams",
          "integer",
          "0",
          ConfigKey.Tag.DATANODE,
          false,
          "How many streams of a volume have a turn at a time in mode turns, 0 to 1000. 0: one for"
              + " each rotating disk below the volume that is known to read at the same time,"
              + " otherwise one; reads of devices that do not rotate do not wait.",
          text -> (int) ConfigKey.integer(text, 0, 1000));

  /** Whether short-circuit reads take part. */
  public static final ConfigKey<Boolean> LOCAL =
      new ConfigKey<>(
          "dfs.datanode.io.priority.scheduler.shortcircuit",
          "true or false",
          "true",
          ConfigKey.Tag.DATANODE,
          true,
          "Whether short-circuit reads take turns, too, on volumes in mode turns. If"
              + " dfs.client.read.shortcircuit is true in its own configuration, the DataNode"
              + " listens at a socket beside its dfs.domain.socket.path, with .ioprio at its end,"
              + " where clients with the agent ask before they read from the disk. A client that"
              + " cannot ask reads without waiting.",
          SchedulerKeys::flag);

  private SchedulerKeys() {}

  private static boolean flag(String text) {
    if (!text.equals("true") && !text.equals("false")) {
      throw new IllegalArgumentException("allowed: true or false");
    }
    return text.equals("true");
  }

  private static double number(String text, double max, String allowed) {
    double number;
    try {
      number = Double.parseDouble(text);
    } catch (NumberFormatException e) {
      number = Double.NaN;
    }
    if (!(number > 0 && number <= max)) {
      throw new IllegalArgumentException("allowed: " + allowed);
    }
    return number;
  }
}
