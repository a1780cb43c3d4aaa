// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.simulation;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.LongFunction;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import org.hadoopprio.disktime.DiskSettings;
import org.hadoopprio.disktime.RealtimeShare;

/**
 * The loads of the experiments {@code starvation}, {@code mixed}, {@code latency} and {@code
 * ownwork} in virtual time, on a drive without priority behind mq-deadline. {@code bench rules}
 * compiles this class together with a scheduler that lacks a rule, and knows of it what the JDK has
 * a type for: cells by name, each a function from a seed to figures by name, all positive.
 */
public final class RuleCells implements Supplier<Map<String, LongFunction<Map<String, Double>>>> {

  private static final int SECONDS = 30;
  private static final long BEGIN = TimeUnit.SECONDS.toNanos(3);
  private static final long END = BEGIN + TimeUnit.SECONDS.toNanos(SECONDS);
  private static final int OLD_KIB = 128;
  private static final int NEW_KIB = 8192;

  /** What is less counts as this: a ratio of nothing has no logarithm. */
  private static final double LEAST = 0.1;

  private final Map<String, LongFunction<Map<String, Double>>> cells = new LinkedHashMap<>();

  /** All cells. */
  public RuleCells() {
    addStarvation();
    addOtherClasses();
    addMixed();
    addLatency();
    addOwnWork();
  }

  @Override
  public Map<String, LongFunction<Map<String, Double>>> get() {
    return Collections.unmodifiableMap(cells);
  }

  private void add(String name, UnaryOperator<Load> load) {
    add(name, NEW_KIB, 0, load);
  }

  private void add(String name, int readAheadKib, double opens, UnaryOperator<Load> load) {
    cells.put(name, seed -> load.apply(new Load(seed, readAheadKib, opens)).run());
  }

  private void addStarvation() {
    for (int readers : new int[] {1, 16, 64, 112}) {
      add(readers + " random", load -> load.closed(readers, "rt:0").streams(16, "none"));
      add(readers + " sequential", load -> load.files(readers).streams(16, "none"));
    }
    add("64 random, 128 KiB", OLD_KIB, 0, load -> load.closed(64, "rt:0").streams(16, "none"));
    for (int readers : new int[] {1, 64}) {
      add(
          readers + " sequential, 128 KiB",
          OLD_KIB,
          0,
          load -> load.files(readers).streams(16, "none"));
    }
    add("random and sequential", load -> load.closed(4, "rt:0").files(4).streams(16, "none"));
    add("random, a stream comes", load -> load.closed(4, "rt:0").seldom("none", 300));
    add("112 random, 1 stream", OLD_KIB, 0, load -> load.closed(112, "rt:0").streams(1, "none"));
    add("16 streams", load -> load.streams(16, "none"));
  }

  private void addOtherClasses() {
    add("be:0, be:7", load -> load.streams(4, "be:0").streams(4, "be:7"));
    add("be:0, be:7, pauses", load -> load.streams(2, "be:0", 80).streams(2, "be:7", 80));
    add("be:4, idle", load -> load.streams(4, "be:4").streams(4, "idle"));
    add("be:4, idle, pauses", load -> load.streams(2, "be:4", 80).streams(2, "idle", 80));
    add("one be:0, pauses", load -> load.streams(1, "be:0", 80).streams(2, "be:7"));
    add("one be:4, pauses, idle", load -> load.streams(1, "be:4", 80).streams(2, "idle"));
    add("a stream comes back", load -> load.streams(4, "be:4").streams(1, "none", 3_000));
    add("idle comes back", load -> load.streams(4, "be:4").streams(1, "idle", 10_000));
    add("be:4, many idle", load -> load.streams(4, "be:4").streams(64, "idle"));
    add("many be:0, be:7", load -> load.streams(100, "be:0").streams(4, "be:7"));
    add("short be:7", load -> load.closed(1, "be:7").streams(16, "none"));
    add(
        "short be:0 and be:7",
        load -> load.closed(1, "be:0").closed(16, "be:7").streams(16, "be:4"));
    add("many short", load -> load.closed(32, "none"));
    add("many short beside streams", load -> load.closed(32, "none").streams(4, "none"));
    add(
        "be within 100 ms, short reads",
        load -> load.arriving(10, "be:4@100ms").closed(32, "be:4"));
    add("18/s beside short reads", load -> load.arriving(18, "rt:0").closed(32, "none"));
    add("short idle", load -> load.closed(1, "idle").streams(16, "none"));
    add("idle beside a short read", load -> load.closed(1, "none").streams(4, "idle"));
    add("idle beside short reads", load -> load.closed(16, "none").streams(4, "idle"));
    add("idle beside both", load -> load.closed(4, "be:4").streams(1, "be:4").streams(16, "idle"));
  }

  private void addMixed() {
    for (int rate : new int[] {18, 60}) {
      add(rate + "/s", load -> load.arriving(rate, "rt:0").streams(16, "idle"));
      add(rate + "/s within 100 ms", load -> load.arriving(rate, "rt:0@100ms").streams(16, "idle"));
    }
    add("18/s, cold inodes", NEW_KIB, 1.5, load -> load.arriving(18, "rt:0").streams(16, "idle"));
    add(
        "60/s of four targets",
        load ->
            load.arriving(15, "rt:0@50ms")
                .arriving(15, "rt:0@100ms")
                .arriving(15, "rt:0@200ms")
                .arriving(15, "be:0@500ms")
                .streams(16, "idle"));
    add(
        "be within 100 ms",
        load -> load.arriving(15, "be:4@100ms").closed(2, "be:4").streams(8, "be:4"));
    add(
        "be within 200 ms, many reads",
        load -> load.arriving(12, "be:4@200ms").closed(16, "be:4").streams(4, "be:4"));
    add(
        "many within 50 ms",
        load -> load.closed(16, "be:4@50ms").closed(4, "be:4").streams(4, "be:6"));
    add("within 30 s", load -> load.arriving(2, "rt:0@30000ms").streams(16, "none"));
  }

  private void addLatency() {
    Consumer<ShortReader> eight = reader -> reader.following = 7;
    Consumer<ShortReader> slowEight =
        reader -> {
          reader.following = 7;
          reader.think = Stated.ms(12);
        };
    Consumer<ShortReader> lies = reader -> reader.exaggerated = 10_000;
    add("outputs", load -> load.arriving(1.5, "rt:0@180ms", eight).streams(16, "none"));
    add("many outputs", load -> load.arriving(4, "rt:0@180ms", eight).streams(16, "none"));
    add("slow outputs", load -> load.arriving(0.7, "rt:0@400ms", slowEight).streams(16, "none"));
    add(
        "outputs and others",
        load ->
            load.arriving(1, "rt:0@180ms", eight).arriving(15, "rt:0@150ms").streams(16, "none"));
    add("false chains", load -> load.arriving(25, "rt:0@100ms", lies).streams(16, "none"));
  }

  private void addOwnWork() {
    Consumer<ShortReader> syncs = reader -> reader.syncs = true;
    Consumer<ShortReader> syncsAgain =
        reader -> {
          reader.syncs = true;
          reader.following = 9;
          reader.think = Stated.ms(1) / 2;
        };
    add("syncs", load -> load.arriving(10, "be:0", syncs).streams(4, "be:6"));
    add("syncs in a row", load -> load.arriving(3, "be:0", syncsAgain).streams(4, "be:6"));
    add("Gets and short be:7", load -> load.closed(32, "be:4").arriving(5, "be:7"));
    add(
        "syncs and short reads",
        load -> load.arriving(10, "be:0", syncs).closed(16, "be:7").streams(4, "be:6"));
  }

  /** Who reads in a cell. */
  private static final class Load {
    private final Map<String, List<Reader>> groups = new LinkedHashMap<>();
    private final DiskSimulation disk;
    private final int partBytes;

    private Load(long seed, int readAheadKib, double opens) {
      DiskModel model = new DiskModel.Builder().read(DiskModel.CURVE_MEAN + 0.358).build();
      SimulatedDisk drive = new ClassesInOrder(new ModelledDisk(model, new Random(seed)));
      this.disk = new DiskSimulation(DiskSettings.DEFAULT, drive, opens, new Random(seed), true);
      disk.admission.readAhead = (long) readAheadKib << 10;
      this.partBytes =
          (int) Math.max(1 << 20, RealtimeShare.sequentialBytes(disk.admission.readAhead));
    }

    private <R extends Reader> R add(String group, R reader) {
      groups.computeIfAbsent(group, name -> new ArrayList<>()).add(reader);
      return reader;
    }

    private Load streams(int count, String priority) {
      return streams(count, priority, 0);
    }

    /** Streams whose clients use what a turn has read before they ask for more. */
    private Load streams(int count, String priority, long digestionMillis) {
      for (int i = 0; i < count; i++) {
        StreamReader stream = Stated.stream(disk, priority);
        add(priority + " streams", stream).digestion = Stated.ms(digestionMillis);
      }
      return this;
    }

    /** A stream that reads 1 MiB at a time, with such pauses on average. */
    private Load seldom(String priority, long pauseMillis) {
      add(
          priority + " streams",
          Stated.stream(disk, priority).requests(1 << 20, Stated.ms(pauseMillis)));
      return this;
    }

    /** Real-time readers of files. */
    private Load files(int count) {
      for (int i = 0; i < count; i++) {
        add("rt files", Stated.stream(disk, "rt:0").requests(partBytes, Stated.ms(4)));
      }
      return this;
    }

    /** Readers of which each asks again when it has read. */
    private Load closed(int count, String priority) {
      for (int i = 0; i < count; i++) {
        add(priority + " reads", Stated.closed(disk, priority));
      }
      return this;
    }

    private Load arriving(double perSecond, String priority) {
      return arriving(perSecond, priority, reader -> {});
    }

    private Load arriving(double perSecond, String priority, Consumer<ShortReader> setting) {
      setting.accept(add(priority + " reads", Stated.open(disk, priority, perSecond)));
      return this;
    }

    private Map<String, Double> run() {
      disk.run(SECONDS);
      Map<String, Double> figures = new LinkedHashMap<>();
      groups.forEach(
          (name, readers) -> {
            if (readers.get(0) instanceof ShortReader) {
              addTimes(figures, name, readers, (ShortReader) readers.get(0));
            } else {
              addRates(figures, name, readers);
            }
          });
      figures.replaceAll((name, value) -> Math.max(value, LEAST));
      return figures;
    }

    private static void addRates(Map<String, Double> figures, String name, List<Reader> readers) {
      double[] rates = readers.stream().mapToDouble(Reader::megabytesPerSecond).toArray();
      long longest = 0;
      for (Reader reader : readers) {
        long unanswered = END - Math.max(BEGIN, reader.lastDone);
        longest = Math.max(longest, Math.max(reader.longestWait, unanswered));
      }
      figures.put(name + ": MB/s", Arrays.stream(rates).sum());
      figures.put(name + ": slowest MB/s", Arrays.stream(rates).min().orElseThrow());
      figures.put(name + ": longest wait ms", longest / 1e6);
    }

    private void addTimes(
        Map<String, Double> figures, String name, List<Reader> readers, ShortReader first) {
      List<Long> times = new ArrayList<>();
      readers.forEach(reader -> times.addAll(reader.latencies));
      boolean unanswered = first.isOpenLoop() && disk.isOverloaded();
      if (times.isEmpty() || unanswered) {
        times.add(END - BEGIN);
      }
      Collections.sort(times);
      double sum = times.stream().mapToDouble(Long::doubleValue).sum();
      figures.put(name + ": mean ms", sum / times.size() / 1e6);
      figures.put(name + ": p99 ms", times.get((int) (times.size() * 0.99)) / 1e6);
      if (first.hasTarget()) {
        figures.put(name + ": late %", 100 * first.latePart());
      }
    }
  }
}
