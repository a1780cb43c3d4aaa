// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.simulation;

import static org.hadoopprio.simulation.Stated.ms;
import static org.hadoopprio.simulation.Stated.settings;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import org.hadoopprio.disktime.Claim;
import org.hadoopprio.disktime.Disk;
import org.hadoopprio.disktime.DiskClass;
import org.hadoopprio.disktime.DiskCounters;
import org.hadoopprio.disktime.DiskSettings;
import org.hadoopprio.disktime.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Streams keep a third of the disk beside short reads and syncs, in virtual time. */
class OwedToStreamsTest {

  private static final long STEP = ms(1);
  private static final long END = ms(60_000);
  private static final long END_OF_TURN = DiskSettings.DEFAULT.turnNanos();

  private final Disk scheduler =
      new Disk(settings(0.5), 1, 0, new DiskCounters(), ticket -> {}, realtimeReads -> false);

  private final List<Claim> streams = new ArrayList<>();
  private final List<Claim> shorts = new ArrayList<>();
  private long now;
  private long streamNanos;
  private long idleNanos;
  private long longestShortWait;

  /** Whether streams read when they may. */
  private boolean streamsRead = true;

  private void addStreams(String priority, int count) {
    for (int i = 0; i < count; i++) {
      streams.add(Stated.claim(priority, new Stream()));
    }
  }

  private void addShorts(int count, int level, boolean syncs) {
    for (int i = 0; i < count; i++) {
      Claim ticket = Stated.claim("be:" + level, null);
      if (syncs) {
        ticket.setSyncs();
      }
      shorts.add(ticket);
    }
  }

  /** All of them ask again at once; short ones keep their turn for some time. */
  private void run(long until, long keeps) {
    for (; now < until; now += STEP) {
      scheduler.poll(now);
      for (Claim each : shorts) {
        if (each.isIn() && each.usedNanos(now) >= keeps) {
          scheduler.done(each, now);
        }
        if (each.isOut()) {
          scheduler.ask(each, now);
        }
        if (each.isWaiting()) {
          longestShortWait = Math.max(longestShortWait, now - each.askedAt());
        }
      }
      for (Claim each : streams) {
        if (each.isOut()) {
          scheduler.ask(each, now);
        }
        if (each.isIn()) {
          read(each);
        }
      }
    }
  }

  private void read(Claim stream) {
    if (!streamsRead) {
      scheduler.done(stream, now);
      return;
    }
    streamNanos += STEP;
    idleNanos += stream.isIdleClass() ? STEP : 0;
    stream.read(160_000);
    if (!scheduler.mayContinue(stream, now + STEP)) {
      scheduler.ask(stream, now + STEP);
    }
  }

  private double part() {
    return streamNanos / (double) END;
  }

  @ParameterizedTest
  @CsvSource({
    "1, 100, 4, 300, false",
    "16, 100, 4, 300, false",
    "16, 100, 7, 300, false",
    "1, 8, 0, 300, false",
    "16, 100, 0, 3000, false",
    "1, 4, 0, 900, true",
    "16, 100, 0, 300, true",
    "16, 100, 4, 900, true",
    "16, 100, 7, 5000, true"
  })
  void howeverLongShortOnesTakeStreamsHaveAThird(
      int count, int readers, int level, int keepsMillis, boolean syncs) {
    addStreams("none", count);
    addShorts(readers, level, syncs);
    run(END, ms(keepsMillis));
    assertTrue(part() >= 0.32, part() + " for the streams");
    assertTrue(part() < 0.4, part() + " for the streams");
  }

  /**
   * They go on as fast as the part lets them that streams do not have, but for the ends of turns,
   * when the drive has few to pick from.
   */
  @ParameterizedTest
  @CsvSource({"1, 16", "16, 16", "16, 100"})
  void readsOfAFewMillisecondsHaveMoreThanHalf(int count, int readers) {
    double alone = readsPerSecond(0, readers);
    double beside = readsPerSecond(count, readers);
    assertTrue(beside >= 0.55 * alone, alone + " alone, " + beside + " beside streams");
  }

  private static double readsPerSecond(int count, int readers) {
    DiskModel drive = new DiskModel.Builder().read(DiskModel.CURVE_MEAN + 0.358).build();
    DiskSimulation disk = new DiskSimulation(settings(0.5), drive);
    List<Reader> reads = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      Stated.stream(disk, "none");
    }
    for (int i = 0; i < readers; i++) {
      reads.add(Stated.closed(disk, "none"));
    }
    disk.run(60);
    return reads.stream().mapToInt(Reader::answered).sum() / 60.0;
  }

  /** The one that comes after a long sync waits for half as long as that one took. */
  @Test
  void aShortReadWaitsForWhatIsOwedAndNoLonger() {
    addStreams("none", 2);
    addShorts(1, 0, true);
    run(END, ms(800));
    assertEquals(400, longestShortWait / 1e6, 10);
  }

  /** They ask for turns, and give them back. */
  @Test
  void streamsThatReadNothingDelayAShortReadForLittleLonger() {
    addStreams("none", 50);
    addShorts(1, 0, true);
    streamsRead = false;
    run(END, ms(800));
    assertTrue(longestShortWait <= 2 * ms(400) + END_OF_TURN, longestShortWait + " ns");
  }

  /** Nothing is owed for the time before a stream came. */
  @Test
  void aStreamThatComesLateIsOwedNoMore() {
    addShorts(1, 4, true);
    run(ms(700), ms(800));
    addStreams("none", 1);
    run(ms(800) + 1, ms(800));
    longestShortWait = 0;
    run(ms(1_500), ms(800));
    assertEquals(END_OF_TURN / 1e6, longestShortWait / 1e6, 10);
  }

  /** However short a read is, and however few there are. */
  @ParameterizedTest
  @CsvSource({"1, 1, 10, 0", "16, 1, 10, 0", "1, 16, 10, 4", "16, 100, 300, 4", "16, 4, 3000, 7"})
  void idleHasItsShareBesideShortReads(int count, int readers, int keepsMillis, int level) {
    addStreams("idle", count);
    addShorts(readers, level, false);
    run(END, ms(keepsMillis));
    assertEquals(DiskSettings.DEFAULT.idleShare(), part(), 0.02);
  }

  /** The same on a disk, with readers that take 2 ms between two reads. */
  @ParameterizedTest
  @CsvSource({"1, 1", "1, 2", "1, 16", "2, 1", "16, 1", "4, 4", "16, 16"})
  void idleHasItsShareBesideReadersThatPause(int count, int readers) {
    DiskModel drive = new DiskModel.Builder().read(DiskModel.CURVE_MEAN + 0.358).build();
    DiskSimulation disk = new DiskSimulation(settings(0.5), drive);
    for (int i = 0; i < count; i++) {
      Stated.stream(disk, "idle");
    }
    for (int i = 0; i < readers; i++) {
      Stated.closed(disk, "none");
    }
    disk.run(60);
    double idle = disk.admission.counters.usedNanos(DiskClass.IDLE) / 63e9;
    assertEquals(DiskSettings.DEFAULT.idleShare(), idle, 0.02);
  }

  @Test
  void idleBesideBestEffortTakesNothingOfItsThird() {
    addStreams("idle", 16);
    addShorts(100, 4, false);
    addStreams("none", 1);
    run(END, ms(300));
    long bestEffort = streamNanos - idleNanos;
    assertTrue(bestEffort / (double) END > 0.31, bestEffort + " ns");
    assertTrue(idleNanos > 0);
  }
}
