// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.lab.it;

import static org.awaitility.Awaitility.await;
import static org.hadoopprio.lab.it.Clusters.MIB;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
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
import java.util.concurrent.atomic.AtomicLong;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FileSystem;
import org.hadoopprio.IoPriority;
import org.hadoopprio.hdfs.PriorityReads;
import org.hadoopprio.hdfs.datanode.DataNodeKeys;
import org.hadoopprio.jmx.PriorityMBean;
import org.hadoopprio.lab.cluster.LocalCluster;
import org.hadoopprio.lab.cluster.Role;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * Two users read from one virtual disk whose drive knows no priority, and the DataNode's policy
 * says what each has of it. The DataNode knows them by their block tokens.
 */
class TenantsIT {

  private static final String POLICY = DataNodeKeys.POLICY_FILE.name();
  private static final int STREAMS = Scale.TENANT_STREAMS.value();
  private static final int ALL_MIB = 1536;
  private static final long RAMP_MILLIS = 2_000;
  private static final long LOAD_MILLIS = TimeUnit.SECONDS.toMillis(Scale.TENANT_SECONDS.value());
  private static final IoPriority RT = IoPriority.realtime(0);
  private static final int GET_BYTES = 56 << 10;
  private static final long GET_EVERY_MILLIS = 200;

  private static LocalCluster cluster;
  private static Path policies;

  @BeforeAll
  static void start() throws IOException {
    cluster = PlainDrive.of(TenantsIT.class).conf("dfs.block.access.token.enable", "true").start();
    policies = Files.createDirectories(cluster.directory().resolve("policies"));
    Map<org.apache.hadoop.fs.Path, Integer> files = new LinkedHashMap<>();
    for (int i = 0; i <= STREAMS; i++) {
      files.put(file(i), fileMib());
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

  private static org.apache.hadoop.fs.Path file(int i) {
    return new org.apache.hadoop.fs.Path("/file" + i);
  }

  private static int fileMib() {
    return Math.min(128, ALL_MIB / (STREAMS + 1));
  }

  /** As an operator does. */
  private static String setTenants(String alice, String bob) throws Exception {
    Path file = Files.createTempFile(policies, "policy", ".xml");
    Files.writeString(
        file,
        "<io-priority-policy>\n<tenant name='a' "
            + alice
            + "/>\n<tenant name='b' "
            + bob
            + "/>\n<rule user='alice' highest='rt:0' tenant='a'/>\n"
            + "<rule user='bob' highest='rt:0' tenant='b'/>\n</io-priority-policy>\n");
    return DiskTimeIT.reconfigure(cluster, POLICY, file.toString());
  }

  private static FileSystem fileSystem(String user) throws IOException, InterruptedException {
    return fileSystem(user, null);
  }

  /**
   * Opens the cluster's file system.
   *
   * @param named the tenant that the client names as its own; null for none
   */
  private static FileSystem fileSystem(String user, String named)
      throws IOException, InterruptedException {
    Configuration conf = cluster.hadoopConf();
    conf.setBoolean("dfs.client.cache.drop.behind.reads", true);
    if (named != null) {
      conf.set("dfs.client.io.tenant", named);
    }
    return FileSystem.newInstance(FileSystem.getDefaultUri(conf), conf, user);
  }

  /** What the DataNode knows of a tenant. */
  private static JsonNode tenant(String name) throws IOException {
    JsonNode volumes =
        cluster
            .jmx(cluster.daemon(Role.DATANODE), PriorityMBean.OBJECT_NAME)
            .path(0)
            .path("Volumes");
    return named(volumes.path(0).path("queue").path("tenants"), name);
  }

  private static JsonNode named(JsonNode all, String name) {
    for (JsonNode each : all) {
      if (each.path("tenant").asText().equals(name)) {
        return each;
      }
    }
    return MissingNode.getInstance();
  }

  /** Readers that go on until they are told to end. */
  private static final class Load implements AutoCloseable {
    private final AtomicBoolean end = new AtomicBoolean();
    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final List<Future<?>> running = new ArrayList<>();

    private void start(Callable<Void> reader) {
      running.add(threads.submit(reader));
    }

    /** Streams of a user, each of its own file. */
    Load streams(String user, int first, int count) {
      for (int i = first; i < first + count; i++) {
        org.apache.hadoop.fs.Path file = file(i);
        start(
            () -> {
              try (FileSystem fs = fileSystem(user)) {
                scan(fs, file);
              }
              return null;
            });
      }
      return this;
    }

    private void scan(FileSystem fs, org.apache.hadoop.fs.Path file) throws IOException {
      byte[] buffer = new byte[64 * 1024];
      while (!end.get()) {
        try (FSDataInputStream in = fs.open(file)) {
          int n = 0;
          while (n >= 0 && !end.get()) {
            n = in.read(buffer);
          }
        }
      }
    }

    /** Real-time readers of a user, of which each asks again as soon as it has its answer. */
    Load realtime(String user, int count) {
      for (int i = 0; i < count; i++) {
        start(
            () -> {
              try (FileSystem fs = fileSystem(user)) {
                while (!end.get()) {
                  getMillis(fs);
                }
              }
              return null;
            });
      }
      return this;
    }

    @Override
    public void close() throws Exception {
      end.set(true);
      for (Future<?> reader : running) {
        reader.get(2, TimeUnit.MINUTES);
      }
      threads.shutdownNow();
    }
  }

  private static double getMillis(FileSystem fs) throws IOException {
    ThreadLocalRandom random = ThreadLocalRandom.current();
    byte[] buffer = new byte[GET_BYTES];
    try (FSDataInputStream in = fs.open(file(random.nextInt(STREAMS + 1)))) {
      long position = random.nextLong(fileMib() * 16L) * (MIB / 16);
      long begun = System.nanoTime();
      PriorityReads.readFully(in, position, buffer, 0, GET_BYTES, RT);
      return (System.nanoTime() - begun) / 1e6;
    }
  }

  /** The parts of the disk's time that both have, in the order of their names. */
  private static double[] parts() throws Exception {
    Thread.sleep(RAMP_MILLIS);
    JsonNode[] before = {tenant("a"), tenant("b")};
    long begun = System.nanoTime();
    Thread.sleep(LOAD_MILLIS);
    JsonNode[] after = {tenant("a"), tenant("b")};
    double millis = (System.nanoTime() - begun) / 1e6;
    double[] parts = new double[2];
    for (int i = 0; i < parts.length; i++) {
      parts[i] =
          (after[i].path("diskMillis").asLong() - before[i].path("diskMillis").asLong()) / millis;
    }
    System.err.printf("alice %.3f, bob %.3f of the disk's time%n", parts[0], parts[1]);
    return parts;
  }

  private static double[] partsOfStreams(int ofAlice, int ofBob) throws Exception {
    try (Load load = new Load()) {
      load.streams("alice", 0, ofAlice).streams("bob", ofAlice, ofBob);
      return parts();
    }
  }

  @Test
  void usersHaveDiskTimeByTheirTenantsHoweverManyStreamsTheyHave() throws Exception {
    assertTrue(setTenants("weight='1'", "weight='1'").contains("SUCCESS"));
    double[] equal = partsOfStreams(STREAMS, 1);
    assertEquals(0.5, equal[0], 0.05);
    assertEquals(0.5, equal[1], 0.05);

    assertTrue(setTenants("weight='1'", "weight='4'").contains("SUCCESS"));
    double[] weighted = partsOfStreams(STREAMS / 2 + 1, STREAMS / 2);
    assertEquals(4, weighted[1] / weighted[0], 0.6);

    assertTrue(setTenants("weight='1'", "weight='0.01' guarantee='0.3'").contains("SUCCESS"));
    double[] guaranteed = partsOfStreams(STREAMS, 1);
    assertTrue(guaranteed[1] >= 0.27, "guaranteed: " + guaranteed[1]);
  }

  private static long millisOf(String tenant) throws IOException {
    return tenant(tenant).path("diskMillis").asLong();
  }

  /** The DataNode may still read ahead for a client that has gone. */
  private static void awaitIdle() {
    AtomicLong last = new AtomicLong(-1);
    await("nobody reads")
        .pollInterval(1, TimeUnit.SECONDS)
        .until(
            () -> {
              long now = millisOf("a") + millisOf("b");
              return now == last.getAndSet(now);
            });
  }

  @Test
  void aJobCountsForTheTenantThatItMayName() throws Exception {
    Path file = Files.createTempFile(policies, "policy", ".xml");
    String policy =
        "<io-priority-policy>\n<tenant name='a'/><tenant name='b'/>\n"
            + "<rule user='alice' highest='be:0' tenant='a' on-behalf-of='b'/>\n"
            + "<rule user='bob' highest='be:0' tenant='b'/>\n</io-priority-policy>\n";
    Files.writeString(file, policy);
    DiskTimeIT.reconfigure(cluster, POLICY, file.toString());
    awaitIdle();
    for (String user : List.of("alice", "bob")) {
      long a = millisOf("a");
      long b = millisOf("b");
      try (FileSystem fs = fileSystem(user, user.equals("alice") ? "b" : "a");
          FSDataInputStream in = fs.open(file(user.equals("alice") ? 0 : 1))) {
        in.readFully(0, new byte[fileMib() * MIB]);
      }
      // The last turn of those before may be charged only now.
      long ofA = millisOf("a") - a;
      long ofB = millisOf("b") - b;
      assertTrue(ofB > 100 && ofA < ofB / 4, user + ": a " + ofA + " ms, b " + ofB + " ms");
    }
  }

  @Test
  void aWaitIsBlamedOnWhoHadTheDisk() throws Exception {
    assertTrue(setTenants("weight='1'", "weight='1'").contains("SUCCESS"));
    JsonNode before = tenant("b");
    partsOfStreams(STREAMS, 1);
    JsonNode after = tenant("b");
    long waited = after.path("waitMillis").asLong() - before.path("waitMillis").asLong();
    long blamed =
        named(after.path("blamed"), "a").path("millis").asLong()
            - named(before.path("blamed"), "a").path("millis").asLong();
    assertTrue(blamed > 0.8 * waited && blamed <= waited, blamed + " of " + waited + " ms");
  }

  @Test
  void aLimitHoldsAloneAndBesideOthers() throws Exception {
    assertTrue(setTenants("limit='0.3'", "weight='1'").contains("SUCCESS"));
    double alone = partsOfStreams(2, 0)[0];
    assertTrue(alone <= 0.33 && alone >= 0.25, "alone: " + alone);
    double[] both = partsOfStreams(STREAMS, 1);
    assertTrue(both[0] <= 0.33 && both[0] >= 0.25, "beside another: " + both[0]);

    String wrong = setTenants("guarantee='0.7'", "guarantee='0.7'");
    assertTrue(
        wrong.contains("FAILED")
            && wrong.contains("line 3: the guarantees of [a, b] are 1.4 together; allowed: 1"),
        wrong);
    double still = partsOfStreams(2, 0)[0];
    assertTrue(still <= 0.33 && still >= 0.25, "the policy before: " + still);
  }

  /** Reads of a user who asks now and then, in milliseconds, in their order. */
  private static List<Double> fewGets() throws Exception {
    List<Double> millis = new ArrayList<>();
    try (FileSystem fs = fileSystem("bob")) {
      long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(RAMP_MILLIS + LOAD_MILLIS);
      while (System.nanoTime() < end) {
        millis.add(getMillis(fs));
        Thread.sleep(GET_EVERY_MILLIS);
      }
    }
    Collections.sort(millis);
    return millis;
  }

  private static double p95(List<Double> sorted) {
    return sorted.get((int) (0.95 * sorted.size()));
  }

  @Test
  void aFloodOfRealtimeReadsHardlyDelaysThoseOfAnother() throws Exception {
    assertTrue(setTenants("weight='1'", "weight='1'").contains("SUCCESS"));
    double alone = p95(fewGets());
    double beside;
    double flood;
    try (Load load = new Load()) {
      load.realtime("alice", Scale.TENANT_READERS.value());
      Thread.sleep(RAMP_MILLIS);
      beside = p95(fewGets());
      flood = parts()[0];
    }
    System.err.printf("p95 of bob's reads: alone %.1f ms, beside %.1f ms%n", alone, beside);
    assertTrue(beside <= 3 * alone, beside + " ms, alone " + alone + " ms");
    assertTrue(flood > 0.5, "the flood goes on: " + flood);
  }
}
