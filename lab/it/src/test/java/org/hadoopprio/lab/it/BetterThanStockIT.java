// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.lab.it;

import static org.hadoopprio.lab.it.Clusters.MIB;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.LongAdder;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.hadoopprio.IoPriority;
import org.hadoopprio.PriorityScope;
import org.hadoopprio.hdfs.datanode.scheduler.SchedulerKeys;
import org.hadoopprio.lab.cluster.LocalCluster;
import org.hadoopprio.lab.disk.ReadAhead;
import org.hadoopprio.lab.disk.RequestQueue;
import org.hadoopprio.lab.disk.Vhdd;
import org.hadoopprio.lab.disk.VirtualDisk;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * What the whole is for, measured against stock in the same run, on a drive without priorities and
 * at the read-aheads of old and new kernels. The bounds are far from what is usual.
 */
class BetterThanStockIT {

  /** How many times faster Gets must be beside streams; some 30 is usual. */
  private static final double LEAST_FASTER = 5;

  /**
   * What streams keep of their stock throughput beside Gets, of which stock serves some 30 times
   * fewer: the goal is 0.75, and what is measured with a read-ahead of 8 MiB is at its border.
   */
  private static final double LEAST_SCANS = 0.5;

  /** What they have of it without Gets. */
  private static final double LEAST_ALONE = 1;

  /** What they keep of it beside a sequential real-time reader. */
  private static final double LEAST_BESIDE_SEQUENTIAL = 0.2;

  private static final IoPriority REALTIME = IoPriority.realtime(0);
  private static final Path GETS = new Path("/gets");
  private static final int GETS_MIB = 256;
  private static final int GET_BYTES = 56 << 10;
  private static final int GETTERS = 1;
  private static final long THINK_MILLIS = 40;
  private static final int STREAMS = 16;

  /** More than a stream reads while it is measured, and so never read twice. */
  private static final int STREAM_MIB = 128;

  private static final Path SEQUENTIAL = new Path("/sequential");
  private static final int SEQUENTIAL_MIB = 1024;
  private static final long RAMP_MILLIS = 1_000;
  private static final long LOAD_MILLIS = 5_000;

  /**
   * The drive's own gate is for figures in percent, and a host that shares its processors does not
   * hold it for hours. Commands may be late by a fifth of the time that the drive works for them:
   * that makes stock and turns alike a little slower, and cannot make a factor of five out of one.
   */
  private static final double MOST_LATE = 0.2;

  /** It is more where something else has the processors for a moment. */
  private static final int TRIES = 7;

  private static final long PAUSE_SECONDS = 3;

  private static LocalCluster cluster;

  private final LongAdder gets = new LongAdder();
  private final LongAdder getNanos = new LongAdder();
  private final LongAdder streamBytes = new LongAdder();

  /** What one system did. */
  private static final class Figures {
    final double alone;
    final double getMillis;
    final double besideGets;
    final double besideReader;

    Figures(double alone, double getMillis, double besideGets, double besideReader) {
      this.alone = alone;
      this.getMillis = getMillis;
      this.besideGets = besideGets;
      this.besideReader = besideReader;
    }

    @Override
    public String toString() {
      return String.format(
          "Gets %.1f ms, streams alone %.1f, beside Gets %.1f, beside a reader %.1f MB/s",
          getMillis, alone, besideGets, besideReader);
    }
  }

  @BeforeAll
  static void start() throws Exception {
    cluster = PlainDrive.of(BetterThanStockIT.class).start();
    Map<Path, Integer> files = new LinkedHashMap<>(Map.of(GETS, GETS_MIB));
    files.put(SEQUENTIAL, SEQUENTIAL_MIB);
    for (int i = 0; i < STREAMS; i++) {
      files.put(stream(i), STREAM_MIB);
    }
    try (FileSystem fs = FileSystem.newInstance(cluster.hadoopConf())) {
      PlainDrive.write(cluster, fs, files);
    }
  }

  @AfterAll
  static void stop() throws IOException {
    if (cluster != null) {
      cluster.stop();
    }
  }

  private static Path stream(int i) {
    return new Path("/stream" + i);
  }

  @ParameterizedTest
  @ValueSource(strings = {"new", "old"})
  void getsAreManyTimesFasterAndStreamsKeepTheirThroughput(String readAhead) throws Exception {
    VirtualDisk disk = (VirtualDisk) cluster.disks().get(0);
    RequestQueue.of(disk.device().orElseThrow()).readAhead(ReadAhead.parse(readAhead));
    Figures stock = measure("off");
    Figures turns = measure("turns");
    System.err.println("read-ahead " + readAhead + ": stock " + stock + ", turns " + turns);
    String figures = "stock " + stock + ", turns " + turns;
    assertTrue(stock.getMillis >= LEAST_FASTER * turns.getMillis, figures);
    assertTrue(turns.besideGets >= LEAST_SCANS * stock.besideGets, figures);
    assertTrue(turns.alone >= LEAST_ALONE * stock.alone, figures);
    assertTrue(turns.besideReader >= LEAST_BESIDE_SEQUENTIAL * stock.besideReader, figures);
  }

  private Figures measure(String mode) throws Exception {
    DiskTimeIT.reconfigure(cluster, SchedulerKeys.MODE.name(), mode);
    double alone = load(List.of());
    List<Reader> getters = new ArrayList<>();
    for (int i = 0; i < GETTERS; i++) {
      getters.add(this::get);
    }
    double besideGets = load(getters);
    double getMillis = getNanos.sum() / 1e6 / gets.sum();
    double besideReader =
        load(List.of((fs, end) -> scan(fs, SEQUENTIAL, REALTIME, new LongAdder(), end)));
    assertEquals(0, Clusters.dataNodes(cluster, "Failed"));
    return new Figures(alone, getMillis, besideGets, besideReader);
  }

  /** Reads until it has to end. */
  private interface Reader {
    void read(FileSystem fs, AtomicBoolean end) throws Exception;
  }

  /** Streams beside others, until the drive's times were its model's; returns their MB/s. */
  private double load(List<Reader> others) throws Exception {
    Vhdd drive = ((VirtualDisk) cluster.disks().get(0)).vhdd();
    JsonNode stats = loadOnce(drive, others);
    for (int i = 1; i < TRIES && !mayCount(stats); i++) {
      System.err.println("not counted, " + late(stats) + " late, " + stats.path("reasons"));
      // What else has the processors may take a while.
      TimeUnit.SECONDS.sleep(PAUSE_SECONDS * i);
      stats = loadOnce(drive, others);
    }
    assertTrue(
        mayCount(stats),
        "late by " + late(stats) + " of the drive's time; " + stats.path("reasons"));
    return streamBytes.sum() / 1e3 / LOAD_MILLIS;
  }

  /** Whether nothing is wrong with the drive, but that its commands were a little late. */
  private static boolean mayCount(JsonNode stats) {
    for (JsonNode reason : stats.path("reasons")) {
      String text = reason.asText();
      if (!text.startsWith("lateness ") && !text.startsWith("requests arrived late:")) {
        return false;
      }
    }
    return late(stats) <= MOST_LATE;
  }

  /** By how much commands were late, as a share of the time that the drive worked for them. */
  private static double late(JsonNode stats) {
    double commands = 0;
    double workMillis = 0;
    for (JsonNode each : stats.path("classes")) {
      commands += each.path("count").asDouble();
      workMillis += each.path("count").asDouble() * each.path("service_ms").asDouble();
    }
    double meanMillis =
        stats.at("/lateness_ms/mean").asDouble() + stats.at("/late_arrival_ms/mean").asDouble();
    return commands * meanMillis / workMillis;
  }

  private JsonNode loadOnce(Vhdd drive, List<Reader> others) throws Exception {
    cluster.evictPageCache();
    AtomicBoolean end = new AtomicBoolean();
    ExecutorService threads = Executors.newFixedThreadPool(STREAMS + others.size());
    Configuration conf = cluster.hadoopConf();
    conf.setBoolean("dfs.client.cache.drop.behind.reads", true);
    try (FileSystem fs = FileSystem.newInstance(conf)) {
      List<Future<?>> running = new ArrayList<>();
      for (int i = 0; i < STREAMS; i++) {
        Path file = stream(i);
        running.add(threads.submit(task(() -> scan(fs, file, IoPriority.NONE, streamBytes, end))));
      }
      for (Reader other : others) {
        running.add(threads.submit(task(() -> other.read(fs, end))));
      }
      TimeUnit.MILLISECONDS.sleep(RAMP_MILLIS);
      List.of(gets, getNanos, streamBytes).forEach(LongAdder::reset);
      drive.resetStats();
      TimeUnit.MILLISECONDS.sleep(LOAD_MILLIS);
      end.set(true);
      JsonNode stats = drive.stats();
      for (Future<?> each : running) {
        each.get(1, TimeUnit.MINUTES);
      }
      return stats;
    } finally {
      threads.shutdownNow();
    }
  }

  /** Something that may fail. */
  private interface Work {
    void run() throws Exception;
  }

  private static Callable<Void> task(Work work) {
    return () -> {
      work.run();
      return null;
    };
  }

  private void get(FileSystem fs, AtomicBoolean end) throws Exception {
    byte[] buffer = new byte[GET_BYTES];
    try (PriorityScope scope = PriorityScope.open(REALTIME);
        FSDataInputStream in = fs.open(GETS)) {
      while (!end.get()) {
        long position = ThreadLocalRandom.current().nextLong(GETS_MIB * 16L) * (MIB / 16);
        long begin = System.nanoTime();
        in.readFully(position, buffer, 0, GET_BYTES);
        getNanos.add(System.nanoTime() - begin);
        gets.increment();
        TimeUnit.MILLISECONDS.sleep(THINK_MILLIS);
      }
    }
  }

  private static void scan(
      FileSystem fs, Path file, IoPriority priority, LongAdder bytes, AtomicBoolean end)
      throws IOException {
    byte[] buffer = new byte[64 << 10];
    try (PriorityScope scope = PriorityScope.open(priority);
        FSDataInputStream in = fs.open(file)) {
      for (int n = 0; n >= 0 && !end.get(); n = in.read(buffer)) {
        bytes.add(n);
      }
    }
  }
}
