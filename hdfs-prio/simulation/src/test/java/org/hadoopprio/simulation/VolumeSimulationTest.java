// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.simulation;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.hadoopprio.disktime.DeviceQueue;
import org.hadoopprio.disktime.DiskClass;
import org.hadoopprio.disktime.DiskCosts;
import org.hadoopprio.disktime.DiskSettings;
import org.hadoopprio.disktime.RealtimeShare;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What the scheduler promises with its defaults, on a drive without priority in virtual time. */
class VolumeSimulationTest {

  private static final int STREAMS = 16;
  private static final int SECONDS = 60;

  /** A drive of 7200 rpm: the curve of the model as it is. */
  private static final DiskModel DISK =
      new DiskModel.Builder().read(DiskModel.CURVE_MEAN + 0.358).build();

  private final List<ShortReader> realtime = new ArrayList<>();
  private final List<StreamReader> streams = new ArrayList<>();

  private DiskSimulation disk(boolean scheduled) {
    realtime.clear();
    streams.clear();
    return new DiskSimulation(DiskSettings.DEFAULT, DISK, scheduled);
  }

  private void addStreams(DiskSimulation disk, int count) {
    for (int i = 0; i < count; i++) {
      streams.add(Stated.stream(disk, "none"));
    }
  }

  private double p95() {
    return quantile(0.95);
  }

  private double quantile(double quantile) {
    List<Long> all = new ArrayList<>();
    realtime.forEach(reader -> all.addAll(reader.latencies));
    Collections.sort(all);
    return all.get((int) (all.size() * quantile)) / 1e6;
  }

  private double megabytesPerSecond() {
    return streams.stream().mapToDouble(Reader::megabytesPerSecond).sum();
  }

  @Test
  void anOpenLoopOfRealtimeReadsIsNearlyAsFastAsAloneAndTheStreamsAreFasterThanStock() {
    DiskSimulation alone = disk(true);
    realtime.add(Stated.open(alone, "rt:0", 18));
    alone.run(SECONDS);
    final double bound = p95();

    DiskSimulation stock = disk(false);
    realtime.add(Stated.open(stock, "rt:0", 18));
    addStreams(stock, STREAMS);
    stock.run(SECONDS);
    final double stockP95 = p95();
    final double stockStreams = megabytesPerSecond();

    DiskSimulation turns = disk(true);
    realtime.add(Stated.open(turns, "rt:0", 18));
    addStreams(turns, STREAMS);
    turns.run(SECONDS);
    String figures =
        String.format(
            "p95: alone %.1f, stock %.1f, turns %.1f ms; streams: stock %.1f, turns %.1f MB/s",
            bound, stockP95, p95(), stockStreams, megabytesPerSecond());
    // 1.13 and 11; 3.3.
    assertTrue(p95() <= 1.25 * bound && stockP95 > 8 * bound, figures);
    assertTrue(megabytesPerSecond() > 2.8 * stockStreams, figures);
  }

  /** Streams that read more at once and come back later, as with a kernel that reads ahead. */
  @Test
  void aSeedAndADiskGiveTheSameResultAndLongerRequestsMoreThroughput() {
    List<Double> means = new ArrayList<>();
    List<Double> rates = new ArrayList<>();
    for (int bytes : new int[] {128 << 10, 1 << 20, 1 << 20}) {
      DiskSimulation stock =
          new DiskSimulation(DiskSettings.DEFAULT, new ModelledDisk(DISK, new Random(2)), 3, false);
      ShortReader gets = Stated.open(stock, "none", 18);
      streams.clear();
      for (int i = 0; i < STREAMS; i++) {
        streams.add(Stated.stream(stock, "none").requests(bytes, Stated.ms(1)));
      }
      stock.run(SECONDS);
      means.add(gets.meanMillis());
      rates.add(megabytesPerSecond());
    }
    String figures = "mean " + means + ", streams " + rates;
    assertTrue(means.get(1).equals(means.get(2)) && rates.get(1).equals(rates.get(2)), figures);
    assertTrue(rates.get(1) > 2 * rates.get(0), figures);
  }

  /**
   * After a Get the disk goes on with a stream that is near, and within seconds each stream has its
   * part of the disk. Always the nearest would be 119 and 55 MB/s, and waits of 10 s; the order in
   * which they have used the disk 101 and 43 MB/s.
   */
  @ParameterizedTest
  @CsvSource({"18, 108.5", "60, 48.5"})
  void afterAReadTheDiskGoesOnNearByAndStreamsHaveEqualPartsOverSeconds(double rate, double least) {
    final int seeds = 4;
    double scans = 0;
    double longest = 0;
    double unfair = 0;
    for (int seed = 1; seed <= seeds; seed++) {
      streams.clear();
      SampledDisk sampled = new SampledDisk(new ModelledDisk(DISK, new Random(seed)));
      DiskSimulation disk = new DiskSimulation(DiskSettings.DEFAULT, sampled, seed, true);
      Stated.open(disk, "rt:0", rate);
      addStreams(disk, STREAMS);
      disk.run(SECONDS);
      scans += megabytesPerSecond() / seeds;
      longest = Math.max(longest, longestWaitMillis());
      unfair += sampled.meanDeviation() / seeds;
    }
    String figures =
        String.format(
            "%.1f MB/s, longest wait %.0f ms, deviation of disk time over 10 s %.3f",
            scans, longest, unfair);
    assertTrue(scans >= least, figures);
    assertTrue(longest <= 3000, figures);
    assertTrue(unfair <= 0.1, figures);
  }

  private double longestWaitMillis() {
    return streams.stream().mapToDouble(reader -> reader.longestWait / 1e6).max().orElseThrow();
  }

  /** Notes each 10 s how much of the disk's time each stream has used. */
  private final class SampledDisk implements SimulatedDisk {

    private final long period = Stated.ms(10_000);
    private final SimulatedDisk disk;
    private final List<double[]> used = new ArrayList<>();

    SampledDisk(SimulatedDisk disk) {
      this.disk = disk;
    }

    @Override
    public long bytes() {
      return disk.bytes();
    }

    @Override
    public void read(Request request) {
      disk.read(request);
    }

    @Override
    public Optional<Request> run(long until) {
      Optional<Request> answered = disk.run(until);
      if (now() >= (used.size() + 1) * period) {
        used.add(diskTimes());
      }
      return answered;
    }

    @Override
    public long now() {
      return disk.now();
    }

    /** The mean deviation of a stream from the mean of all, as a part of that. */
    double meanDeviation() {
      List<Double> deviations = new ArrayList<>();
      for (int sample = 1; sample < used.size(); sample++) {
        double[] each = used.get(sample).clone();
        for (int i = 0; i < STREAMS; i++) {
          each[i] -= used.get(sample - 1)[i];
        }
        double average = Arrays.stream(each).average().orElseThrow();
        Arrays.stream(each).forEach(time -> deviations.add(Math.abs(time / average - 1)));
      }
      return deviations.stream().mapToDouble(Double::doubleValue).average().orElseThrow();
    }
  }

  /** Reads that may take 100 ms leave the streams more of the disk than reads that go at once. */
  @ParameterizedTest
  @CsvSource({"18, 1.04", "60, 1.3"})
  void readsWithATargetAreAnsweredWithinItAndStreamsAreFaster(double rate, double gain) {
    DiskSimulation atOnce = disk(true);
    realtime.add(Stated.open(atOnce, "rt:0", rate));
    addStreams(atOnce, STREAMS);
    atOnce.run(SECONDS);
    final double without = megabytesPerSecond();
    final double p99Without = quantile(0.99);

    DiskSimulation held = disk(true);
    realtime.add(Stated.open(held, "rt:0@100ms", rate));
    addStreams(held, STREAMS);
    held.run(SECONDS);
    String figures =
        String.format(
            "without a target: p99 %.1f ms, streams %.1f MB/s; with one: p50 %.1f, p95 %.1f,"
                + " p99 %.1f ms, streams %.1f MB/s",
            p99Without,
            without,
            quantile(0.5),
            quantile(0.95),
            quantile(0.99),
            megabytesPerSecond());
    assertTrue(quantile(0.99) <= 110, figures);
    assertTrue(megabytesPerSecond() >= gain * without, figures);
  }

  /**
   * A pause is long for a single reader: the goal of twice its time alone is missed for one and two
   * readers. The bounds are a twentieth above what was simulated.
   */
  @ParameterizedTest
  @CsvSource({"1, 2.72", "2, 2.31", "4, 1.9", "16, 1.88", "64, 1.24", "128, 1.14"})
  void closedLoopsKeepTheirShareAndLeaveTheRest(int readers, double slower) {
    DiskSimulation alone = disk(true);
    for (int i = 0; i < readers; i++) {
      realtime.add(Stated.closed(alone, "rt:0"));
    }
    alone.run(SECONDS);
    final double bound = p95();

    DiskSimulation mixed = disk(true);
    for (int i = 0; i < readers; i++) {
      realtime.add(Stated.closed(mixed, "rt:0"));
    }
    addStreams(mixed, STREAMS);
    mixed.run(SECONDS);
    double used = mixed.admission.counters.usedNanos(DiskClass.REALTIME) / 63e9;
    long atOnce = RealtimeShare.sequentialBytes(DeviceQueue.USUAL_READ_AHEAD_BYTES);
    double share =
        RealtimeShare.of(
            DiskSettings.DEFAULT.realtimeShare(),
            readers * DiskCosts.requestNanos(RealtimeShare.RANDOM_BYTES),
            STREAMS * DiskCosts.requestNanos(atOnce));
    String figures =
        String.format(
            "p95: alone %.1f, mixed %.1f ms; streams %.1f MB/s; real-time's time %.2f",
            bound, p95(), megabytesPerSecond(), used);
    assertTrue(p95() <= slower * bound, figures);
    // It also pays for the ways back to the streams, which a few readers make often.
    double ways = readers <= 2 ? 0.05 : 0;
    assertTrue(Math.abs(used + ways - share) < 0.05, figures);
  }

  /** Among many readers a share would be less than what they have without any priority. */
  @ParameterizedTest
  @CsvSource({"1", "2", "4", "8", "16", "24", "32", "64", "112", "128"})
  void closedLoopsAreNoSlowerThanWithoutAPriorityAndLeaveAQuarter(int readers) {
    List<Double> means = new ArrayList<>();
    List<Double> p95s = new ArrayList<>();
    List<Double> rates = new ArrayList<>();
    for (boolean scheduled : new boolean[] {false, true}) {
      DiskSimulation disk = disk(scheduled);
      for (int i = 0; i < readers; i++) {
        realtime.add(Stated.closed(disk, "rt:0"));
      }
      addStreams(disk, STREAMS);
      disk.run(SECONDS);
      means.add(mean());
      p95s.add(p95());
      rates.add(megabytesPerSecond());
    }
    String figures = "stock, turns: mean " + means + ", p95 " + p95s + ", streams " + rates;
    assertTrue(means.get(1) <= means.get(0), figures);
    assertTrue(p95s.get(1) <= p95s.get(0), figures);
    assertTrue(rates.get(1) >= 0.25 * rates.get(0), figures);
  }

  private double mean() {
    return realtime.stream()
            .flatMap(reader -> reader.latencies.stream())
            .mapToLong(Long::longValue)
            .average()
            .orElseThrow()
        / 1e6;
  }

  /** Cold inodes: each read needs the disk twice before its data. */
  @ParameterizedTest
  @CsvSource({"1, 1", "1, 16", "4, 16"})
  void streamsKeepTheirPartBesideReadersThatOpenTheirFiles(int readers, int count) {
    double read = DISK.readMillis();
    for (double open : new double[] {0, 0.5 * read, 2 * read}) {
      DiskModel cold = new DiskModel.Builder().read(read).open(open).build();
      DiskSimulation mixed = new DiskSimulation(DiskSettings.DEFAULT, cold);
      for (int i = 0; i < readers; i++) {
        Stated.closed(mixed, "rt:0");
      }
      for (int i = 0; i < count; i++) {
        Stated.stream(mixed, "none");
      }
      mixed.run(SECONDS);
      double streamsTime = mixed.admission.counters.usedNanos(DiskClass.BEST_EFFORT) / 63e9;
      double used = mixed.admission.counters.usedNanos(DiskClass.REALTIME) / 63e9;
      assertTrue(streamsTime >= 0.3, open + " ms: streams " + streamsTime + ", real-time " + used);
    }
  }

  /**
   * The first two streams against the others, whose clients use up what they have before they ask.
   */
  @ParameterizedTest
  @CsvSource({"be:0, be:7, 8, 0", "be:0, be:7, 8, 80", "be:4, idle, 19, 0", "be:4, idle, 19, 80"})
  void levelsAreSharesOfDiskTime(String stronger, String weaker, double expected, long digestion) {
    DiskSimulation disk = disk(true);
    for (String priority : List.of(stronger, stronger, weaker, weaker)) {
      StreamReader stream = Stated.stream(disk, priority);
      stream.digestion = Stated.ms(digestion);
      streams.add(stream);
    }
    disk.run(SECONDS);
    double[] each = streams.stream().mapToDouble(Reader::megabytesPerSecond).toArray();
    double ratio = (each[0] + each[1]) / (each[2] + each[3]);
    assertTrue(
        Math.abs(ratio / expected - 1) < 0.1,
        () -> String.format("%.1f %.1f against %.1f %.1f", each[0], each[1], each[2], each[3]));
  }

  @Test
  void streamsAloneTakeLongTurnsAndNoneWaitsLong() {
    DiskSimulation turns = disk(true);
    addStreams(turns, STREAMS);
    turns.run(SECONDS);
    double longest = longestWaitMillis();
    String figures =
        String.format("%.1f MB/s, longest wait %.0f ms", megabytesPerSecond(), longest);
    // 135.6 MB/s and 791 ms.
    assertTrue(megabytesPerSecond() > 125 && longest < 900, figures);
    double[] times = diskTimes();
    double average = Arrays.stream(times).average().orElseThrow();
    for (double time : times) {
      assertTrue(Math.abs(time / average - 1) < 0.05, figures);
    }
  }

  /** What each stream has used of the disk, in nanoseconds by its weight. */
  private double[] diskTimes() {
    return streams.stream().mapToDouble(reader -> reader.stream().virtualTime()).toArray();
  }
}
