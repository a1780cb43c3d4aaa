// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.lab.it;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assertions.fail;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.hadoopprio.IoPriority;
import org.hadoopprio.hdfs.PriorityReads;
import org.hadoopprio.hdfs.datanode.engine.EngineKeys;
import org.hadoopprio.lab.cluster.Daemon;
import org.hadoopprio.lab.cluster.LocalCluster;
import org.hadoopprio.lab.cluster.Role;
import org.hadoopprio.lab.disk.Vhdd;
import org.hadoopprio.lab.disk.VirtualDisk;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * A DataNode on a drive with command duration limits: which of its requests name a limit, and what
 * becomes of those that the drive gives up. The drive is a virtual one, which the kernel shows no
 * limits of, so they are configured; lab/wire tests the commands to a drive.
 */
class DurationLimitsIT {

  private static final Path FILE = new Path("/limited");
  private static final int FILE_BYTES = 32 * 1024 * 1024;
  private static final int READ_BYTES = 64 * 1024;
  private static final int LIMITS = 7;
  private static final int READERS = 8;

  /** Less than any read takes, so that each read seeks the fastest way, with a limit or without. */
  private static final IoPriority URGENT = IoPriority.parse("rt:0@1ms");

  /** More than any read takes. */
  private static final IoPriority PATIENT = IoPriority.parse("rt:0@20s");

  /** More than 5 % of the reads by which the DataNode judges, which are the latest 40 at most. */
  private static final int SLOW_READS = 3;

  private static final Duration PATIENCE = Duration.ofMinutes(3);

  private static LocalCluster cluster;
  private static Daemon dataNode;
  private static FileSystem fs;
  private static Vhdd drive;
  private static byte[] content;

  @BeforeAll
  static void start() throws Exception {
    // None is excluded before it was measured.
    String limits =
        IntStream.rangeClosed(1, LIMITS).mapToObj(i -> i + ":1us").collect(Collectors.joining(" "));
    String library = Clusters.built("pbs/libhprio_pbs.so").toString();
    cluster =
        PlainDrive.of(DurationLimitsIT.class)
            .configure(
                Role.DATANODE,
                o ->
                    o.conf(EngineKeys.ENGINE.name(), "direct")
                        .conf(EngineKeys.DURATION_LIMITS.name(), limits)
                        .conf(EngineKeys.LIBRARY.name(), library))
            .start();
    dataNode = cluster.daemon(Role.DATANODE);
    fs = FileSystem.newInstance(cluster.hadoopConf());
    drive = ((VirtualDisk) cluster.disks().get(0)).vhdd();
    content = new byte[FILE_BYTES];
    new Random(1).nextBytes(content);
    VirtualDisk.fast(
        cluster.disks(),
        () -> {
          try (FSDataOutputStream out = fs.create(FILE)) {
            out.write(content);
          }
        });
    cluster.setLogLevel(dataNode, "org.apache.hadoop.hdfs.server.datanode.VolumeScanner", "DEBUG");
    await("the direct engine")
        .atMost(PATIENCE)
        .until(DurationLimitsIT::status, status -> status.get("engine").asText().equals("direct"));
    assertTrue(status().get("durationLimits").asText().endsWith(", as configured"));
  }

  @AfterAll
  static void stop() throws Exception {
    if (fs != null) {
      fs.close();
    }
    if (cluster != null) {
      cluster.stop();
    }
  }

  /** A drive whose limits it never exceeds. */
  @BeforeEach
  void generousLimits() throws IOException {
    setLimits("0", "complete-earliest");
  }

  private static void setLimits(String activeTime, String policy) throws IOException {
    Map<String, String> settings = new LinkedHashMap<>();
    settings.put("mode", "cdl");
    for (int i = 1; i <= LIMITS; i++) {
      settings.put("cdl" + i + "_guideline_ns", "0");
      settings.put("cdl" + i + "_active_ns", activeTime);
      settings.put("cdl" + i + "_active_policy", policy);
    }
    drive.set(settings);
    drive.resetStats();
  }

  private static JsonNode status() throws IOException {
    return Clusters.metric(cluster, dataNode, "Engines").get(0);
  }

  private static long counted(String name) throws IOException {
    return status().get(name).asLong();
  }

  /** What the drive has counted for all descriptors together. */
  private static long atTheDrive(String count) throws IOException {
    long sum = 0;
    for (JsonNode limit : drive.stats().get("duration_limits")) {
      sum += limit.get(count).asLong();
    }
    return sum;
  }

  /** The kernel may make two commands of a request, where the file lies in two places. */
  private static void assertAtTheDrive(long requests, String count) throws IOException {
    long commands = atTheDrive(count);
    assertEquals(atTheDrive("commands"), commands, count);
    assertTrue(commands >= requests && commands <= 2 * requests, commands + " of " + requests);
  }

  private static void read(IoPriority priority, int reads, long seed) throws IOException {
    Random random = new Random(seed);
    byte[] actual = new byte[READ_BYTES];
    try (FSDataInputStream in = fs.open(FILE)) {
      for (int i = 0; i < reads; i++) {
        int offset = random.nextInt(FILE_BYTES - READ_BYTES);
        PriorityReads.readFully(in, offset, actual, 0, READ_BYTES, priority);
        assertArrayEquals(Arrays.copyOfRange(content, offset, offset + READ_BYTES), actual);
      }
    }
  }

  /**
   * Makes reads without a limit the slowest of all that the DataNode has measured. Else the fastest
   * way may be theirs: which one is, depends on the load of the tests before, and on chance.
   *
   * @param patient what needs no limit, of the class whose reads are to name one
   */
  private static void readSlowlyWithoutALimit(IoPriority patient) throws IOException {
    cluster.evictPageCache();
    drive.set(Map.of("overhead_ns", "1s"));
    try {
      read(patient, SLOW_READS, 5);
    } finally {
      drive.set(Map.of("overhead_ns", "150us"));
    }
    cluster.evictPageCache();
    drive.resetStats();
  }

  /** Reads with several readers until the drive has given up so many requests. */
  private static void readUntilExpired(IoPriority priority, long expired) throws Exception {
    AtomicLong seed = new AtomicLong();
    long deadline = System.nanoTime() + PATIENCE.toNanos();
    ExecutorService readers = Executors.newFixedThreadPool(READERS);
    try {
      while (counted("expired") < expired) {
        assertTrue(System.nanoTime() < deadline, () -> "too few expired");
        List<Future<?>> batch = new ArrayList<>();
        for (int i = 0; i < READERS; i++) {
          batch.add(
              readers.submit(
                  () -> {
                    read(priority, 25, seed.getAndIncrement());
                    return null;
                  }));
        }
        for (Future<?> each : batch) {
          each.get();
        }
      }
    } catch (ExecutionException e) {
      fail(e.getCause());
    } finally {
      readers.shutdownNow();
      assertTrue(readers.awaitTermination(1, TimeUnit.MINUTES));
    }
  }

  @Test
  void readsWithATargetNameALimitWhereTheyNeedOne() throws Exception {
    readSlowlyWithoutALimit(PATIENT);
    long before = counted("hinted");
    read(URGENT, 100, 1);
    long hinted = counted("hinted") - before;
    assertTrue(hinted > 10, hinted + " of 100");
    assertAtTheDrive(hinted, "met");
    assertEquals("direct", status().get("engine").asText());
  }

  @Test
  void bestEffortReadsWithATargetDoSo() throws Exception {
    readSlowlyWithoutALimit(IoPriority.parse("be:0@20s"));
    long before = counted("hinted");
    read(IoPriority.parse("be:0@1ms"), 100, 2);
    long hinted = counted("hinted") - before;
    assertTrue(hinted > 10, hinted + " of 100");
    assertAtTheDrive(hinted, "met");
  }

  @Test
  void othersNameNone() throws Exception {
    long before = counted("hinted");
    for (String priority : List.of("none", "idle", "be:0", "rt:0")) {
      cluster.evictPageCache();
      read(IoPriority.parse(priority), 20, 3);
    }
    cluster.evictPageCache();
    // Without a limit they are in time; one in many is done with another limit only if that is
    // cheaper, and nothing is.
    read(PATIENT, 50, 4);
    assertEquals(before, counted("hinted"));
    assertEquals(0, atTheDrive("commands"));
  }

  @Test
  void whatTheDriveGivesUpIsReadAndBreaksNothing() throws Exception {
    setLimits("1ns", "complete-unavailable");
    JsonNode before = status();
    long given = before.get("expired").asLong();
    long cached = before.get("cached").asLong();
    readUntilExpired(URGENT, given + Scale.EXPIRED_READS.value());
    JsonNode status = status();
    System.out.println(drive.stats().get("duration_limits") + " " + status);

    assertAtTheDrive(status.get("expired").asLong() - given, "unavailable");
    assertEquals(before.get("fallbacks"), status.get("fallbacks"), status.toString());
    assertEquals("direct", status.get("engine").asText(), status.toString());
    assertTrue(
        status.get("reads").asLong() >= before.get("reads").asLong() + Scale.EXPIRED_READS.value());
    assertEquals(cached, status.get("cached").asLong(), "nothing went to the page cache");
    JsonNode data = cluster.jmx(dataNode, "Hadoop:service=DataNode,name=FSDatasetState*").get(0);
    assertEquals(0, data.get("NumFailedVolumes").asLong());
    assertEquals(0, Clusters.blocks(cluster).get("CorruptBlocks").asLong());
    assertEquals(
        List.of(),
        Clusters.logged(
            dataNode, "suspect block", "bad block", "Input/output error", "Timer expired"));
  }
}
