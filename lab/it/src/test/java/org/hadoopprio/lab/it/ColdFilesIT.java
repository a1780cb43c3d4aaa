// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.lab.it;

import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Iterator;
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
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.hadoopprio.IoPriority;
import org.hadoopprio.hdfs.PriorityReads;
import org.hadoopprio.lab.cluster.LocalCluster;
import org.hadoopprio.lab.cluster.Role;
import org.hadoopprio.lab.cluster.VolumeReport;
import org.hadoopprio.lab.disk.Vhdd;
import org.hadoopprio.lab.disk.VirtualDisk;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * A real-time reader in a closed loop whose reads open cold files, as on a DataNode with more
 * blocks than inodes fit into its memory: what it has, and what it leaves to the others, on a drive
 * that knows no priority.
 */
class ColdFilesIT {

  private static final int FILES = Scale.COLD_FILES.value();
  private static final int FILE_BYTES = 64 << 10;

  /** The file system has an inode for each 64 KiB, and each block takes two: data and checksums. */
  private static final long DISK_BYTES = 8L << 30;

  private static final int FILE_WRITERS = 8;
  private static final int STREAMS = Scale.COLD_STREAMS.value();
  private static final int STREAM_MIB = 48;
  private static final int WRITERS = 4;
  private static final int WRITTEN_BYTES = 48 << 20;
  private static final long RAMP_MILLIS = 1_500;
  private static final long EVICTION_MILLIS = 100;

  /**
   * Of the time, by the drive's own count, in which it did not work for real-time, whose share is
   * 0.65. Without a limit it hardly ever has another request.
   */
  private static final double LEAST_LEFT = 0.3;

  /** What others make of that: between two requests a client needs a processor. */
  private static final double LEAST_USED = 0.15;

  /**
   * Of the time, in which the drive has a read of real-time, at least. The arm's time is no measure
   * of it: a drive that writes out what its cache holds makes reads wait, whoever else is there.
   */
  private static final double LEAST_REALTIME = 0.4;

  private static final double MILLIS_PER_SECOND = 1e3;

  /**
   * An opening from memory takes some microseconds, one that reads from the disk a seek or more.
   */
  private static final long LEAST_COLD_MICROS = 3_000;

  private static LocalCluster cluster;

  private final AtomicBoolean end = new AtomicBoolean();

  @BeforeAll
  static void start() throws Exception {
    cluster = PlainDrive.of(ColdFilesIT.class).diskBytes(DISK_BYTES).start();
    Map<Path, Integer> files = new LinkedHashMap<>();
    for (int i = 0; i < STREAMS; i++) {
      files.put(stream(i), STREAM_MIB);
    }
    try (FileSystem fs = FileSystem.newInstance(cluster.hadoopConf())) {
      drive().loading(true);
      writeColdFiles(fs);
      PlainDrive.write(cluster, fs, files);
    }
  }

  private static void writeColdFiles(FileSystem fs) throws Exception {
    ExecutorService writers = Executors.newFixedThreadPool(FILE_WRITERS);
    try {
      List<Future<?>> all = new ArrayList<>();
      for (int i = 0; i < FILES; i++) {
        Path file = cold(i);
        all.add(
            writers.submit(
                () -> {
                  write(fs, file, FILE_BYTES);
                  return null;
                }));
      }
      for (Future<?> each : all) {
        each.get();
      }
    } finally {
      writers.shutdownNow();
    }
  }

  private static Vhdd drive() throws IOException {
    return ((VirtualDisk) cluster.disks().get(0)).vhdd();
  }

  private static Path stream(int i) {
    return new Path("/stream" + i);
  }

  private static Path cold(int i) {
    return new Path("/cold/" + i % 100 + "/" + i);
  }

  @AfterAll
  static void stop() throws IOException {
    if (cluster != null) {
      cluster.stop();
    }
  }

  private static void write(FileSystem fs, Path file, int bytes) throws IOException {
    byte[] chunk = new byte[FILE_BYTES];
    ThreadLocalRandom.current().nextBytes(chunk);
    try (FSDataOutputStream out = fs.create(file, true)) {
      for (int written = 0; written < bytes; written += chunk.length) {
        out.write(chunk);
      }
    }
  }

  private Void openAndRead(FileSystem fs) throws IOException {
    byte[] buffer = new byte[FILE_BYTES];
    while (!end.get()) {
      try (FSDataInputStream in = fs.open(cold(ThreadLocalRandom.current().nextInt(FILES)))) {
        PriorityReads.readFully(in, 0, buffer, 0, buffer.length, IoPriority.realtime(0));
      }
    }
    return null;
  }

  private Void scan(FileSystem fs, Path file) throws IOException {
    byte[] buffer = new byte[FILE_BYTES];
    while (!end.get()) {
      try (FSDataInputStream in = fs.open(file)) {
        while (in.read(buffer) >= 0 && !end.get()) {
          // Only the disk's time counts.
        }
      }
    }
    return null;
  }

  private Void writeAgainAndAgain(FileSystem fs, Path file) throws IOException {
    while (!end.get()) {
      write(fs, file, WRITTEN_BYTES);
    }
    return null;
  }

  private Void evictInodes() throws IOException, InterruptedException {
    while (!end.get()) {
      ((VirtualDisk) cluster.disks().get(0)).evictInodes();
      Thread.sleep(EVICTION_MILLIS);
    }
    return null;
  }

  @Test
  void streamsKeepTheirPart() throws Exception {
    try (FileSystem fs = fileSystem()) {
      List<Callable<Void>> others = new ArrayList<>();
      for (int i = 0; i < STREAMS; i++) {
        Path file = stream(i);
        others.add(() -> scan(fs, file));
      }
      assertOthersKeepTheirPart(fs, others, "streams");
    }
  }

  @Test
  void writersKeepTheirPart() throws Exception {
    try (FileSystem fs = fileSystem()) {
      List<Callable<Void>> others = new ArrayList<>();
      for (int i = 0; i < WRITERS; i++) {
        Path file = new Path("/written" + i);
        others.add(() -> writeAgainAndAgain(fs, file));
      }
      assertOthersKeepTheirPart(fs, others, "writers");
    }
  }

  /** What is read leaves the page cache, so that every read is the disk's. */
  private static FileSystem fileSystem() throws IOException {
    Configuration conf = cluster.hadoopConf();
    conf.setBoolean("dfs.client.cache.drop.behind.reads", true);
    return FileSystem.newInstance(conf);
  }

  /** The one reader has one read at a time at the drive. */
  private static double readsOfRealtime(JsonNode stats) {
    double millis = 0;
    for (JsonNode each : stats.path("classes")) {
      if (each.path("class").asText().equals("rt")) {
        millis += each.path("count").asLong() * each.at("/latency_ms/mean").asDouble();
      }
    }
    return millis / MILLIS_PER_SECOND / stats.path("elapsed_s").asDouble();
  }

  private void assertOthersKeepTheirPart(
      FileSystem fs, List<Callable<Void>> others, String whoTheyAre) throws Exception {
    ExecutorService threads = Executors.newCachedThreadPool();
    try {
      List<Future<Void>> all = new ArrayList<>();
      all.add(threads.submit(this::evictInodes));
      all.add(threads.submit(() -> openAndRead(fs)));
      others.forEach(other -> all.add(threads.submit(other)));
      Thread.sleep(RAMP_MILLIS);
      drive().resetStats();
      Thread.sleep(TimeUnit.SECONDS.toMillis(Scale.COLD_SECONDS.value()));
      JsonNode stats = drive().stats();
      JsonNode busy = stats.path("priorities_busy");
      end.set(true);
      for (Future<Void> each : all) {
        each.get(2, TimeUnit.MINUTES);
      }
      long openMicros = VolumeReport.of(cluster, cluster.daemon(Role.DATANODE)).openMicros();
      double realtime = 0;
      // Whose it is what the drive's cache writes out is not known any more; real-time only reads.
      double rest = stats.at("/write_cache/busy").asDouble();
      for (Iterator<Map.Entry<String, JsonNode>> entries = busy.fields(); entries.hasNext(); ) {
        Map.Entry<String, JsonNode> each = entries.next();
        boolean isRealtime = each.getKey().startsWith("rt");
        realtime += isRealtime ? each.getValue().asDouble() : 0;
        rest += isRealtime ? 0 : each.getValue().asDouble();
      }
      double held = readsOfRealtime(stats);
      String figures =
          String.format(
              "%d files, %d %s: the drive works %.3f of the time for them, %.3f for real-time, whose"
                  + " reads it has for %.3f of the time: %s, %s; an opening takes %d us",
              FILES,
              others.size(),
              whoTheyAre,
              rest,
              realtime,
              held,
              busy,
              stats.path("write_cache"),
              openMicros);
      System.err.println(figures);
      assertTrue(openMicros >= LEAST_COLD_MICROS, figures);
      assertTrue(1 - realtime >= LEAST_LEFT, figures);
      assertTrue(rest >= LEAST_USED, figures);
      assertTrue(held >= LEAST_REALTIME, figures);
    } finally {
      end.set(true);
      threads.shutdownNow();
    }
  }
}
