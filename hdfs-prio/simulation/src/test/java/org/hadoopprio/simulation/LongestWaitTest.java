// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.simulation;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.hadoopprio.disktime.DiskSettings;
import org.hadoopprio.disktime.RealtimeShare;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * What streams wait and keep beside real-time readers that never pause, on a drive without priority
 * behind mq-deadline in virtual time.
 */
class LongestWaitTest {

  private static final int STREAMS = 16;
  private static final int SECONDS = 60;
  private static final DiskModel DISK =
      new DiskModel.Builder().read(DiskModel.CURVE_MEAN + 0.358).build();

  private static final class Outcome {
    double mean;
    double p95;
    double readers;
    double streams;
    double longest;

    @Override
    public String toString() {
      return String.format(
          "mean %6.1f p95 %6.1f rt %5.1f streams %5.1f longest %5.0f",
          mean, p95, readers, streams, longest);
    }
  }

  private Outcome run(
      boolean scheduled, int readers, boolean sequential, long readAhead, int count) {
    DiskSimulation disk =
        new DiskSimulation(
            DiskSettings.DEFAULT,
            new ClassesInOrder(new ModelledDisk(DISK, new Random(5))),
            5,
            scheduled);
    disk.admission.readAhead = readAhead;
    int atOnce = (int) RealtimeShare.sequentialBytes(readAhead);
    String priority = scheduled ? "rt:0" : "none";
    List<Reader> realtime = new ArrayList<>();
    List<Reader> streams = new ArrayList<>();
    for (int i = 0; i < readers; i++) {
      int part = scheduled ? Math.max(1 << 20, atOnce) : atOnce;
      realtime.add(
          sequential
              ? Stated.stream(disk, priority).requests(part, Stated.ms(4))
              : Stated.closed(disk, priority));
    }
    for (int i = 0; i < count; i++) {
      streams.add(
          scheduled
              ? Stated.stream(disk, "none")
              : Stated.stream(disk, "none").requests(atOnce, Stated.ms(1)));
    }
    disk.run(SECONDS);
    Outcome outcome = new Outcome();
    List<Long> all = new ArrayList<>();
    realtime.forEach(reader -> all.addAll(reader.latencies));
    Collections.sort(all);
    if (!all.isEmpty()) {
      outcome.mean = all.stream().mapToLong(Long::longValue).average().orElse(0) / 1e6;
      outcome.p95 = all.get((int) (all.size() * 0.95)) / 1e6;
    }
    outcome.readers = realtime.stream().mapToDouble(Reader::megabytesPerSecond).sum();
    outcome.streams = streams.stream().mapToDouble(Reader::megabytesPerSecond).sum();
    outcome.longest =
        streams.stream().mapToLong(reader -> reader.longestWait).max().orElse(0) / 1e6;
    return outcome;
  }

  private static long kib(long kib) {
    return kib << 10;
  }

  /**
   * With a read-ahead of 128 KiB, 96 and more random readers leave the streams so little that 3 s
   * are missed.
   */
  @ParameterizedTest
  @CsvSource({
    "8192, 1, 3000", "8192, 4, 3000", "8192, 16, 3000", "8192, 64, 3000", "8192, 128, 3000",
    "128, 1, 3000", "128, 4, 3000", "128, 16, 3000", "128, 64, 3000", "128, 128, 3900"
  })
  void noStreamWaitsForLongBesideRandomReaders(long readAhead, int readers, double longest) {
    Outcome stock = run(false, readers, false, kib(readAhead), STREAMS);
    Outcome turns = run(true, readers, false, kib(readAhead), STREAMS);
    String figures = "stock " + stock + ", turns " + turns;
    assertTrue(turns.longest <= Math.max(longest, 2 * stock.longest), figures);
    assertTrue(turns.streams >= 0.25 * stock.streams, figures);
    assertTrue(turns.mean <= stock.mean && turns.p95 <= stock.p95, figures);
  }

  /** The same misses, for 64 and more. */
  @ParameterizedTest
  @CsvSource({
    "8192, 1, 3000", "8192, 4, 3000", "8192, 16, 3000", "8192, 64, 3000", "8192, 128, 3000",
    "128, 1, 3000", "128, 4, 3000", "128, 16, 3000", "128, 64, 3400", "128, 128, 3800"
  })
  void noStreamWaitsForLongBesideSequentialReaders(long readAhead, int readers, double longest) {
    Outcome stock = run(false, readers, true, kib(readAhead), STREAMS);
    Outcome turns = run(true, readers, true, kib(readAhead), STREAMS);
    String figures = "stock " + stock + ", turns " + turns;
    assertTrue(turns.longest <= Math.max(longest, 2 * stock.longest), figures);
    assertTrue(turns.streams >= 0.25 * stock.streams, figures);
    assertTrue(turns.readers >= 0.97 * stock.readers, figures);
  }
}
