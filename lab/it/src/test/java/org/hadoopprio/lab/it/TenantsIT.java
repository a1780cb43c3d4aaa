// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.lab.it;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.fs.FileSystem;
import org.hadoopprio.hdfs.datanode.DataNodeKeys;
import org.hadoopprio.jmx.PriorityMBean;
import org.hadoopprio.lab.cluster.LocalCluster;
import org.hadoopprio.lab.cluster.Role;
import org.hadoopprio.lab.trace.BlockTrace;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * Two users read from one virtual disk whose drive knows no priority, and the DataNode's policy
 * says what each has of it. The DataNode knows them by their block tokens.
 */
class TenantsIT {

  private static final String POLICY = DataNodeKeys.POLICY_FILE.name();
  private static final int STREAMS = TenantLoad.STREAMS;
  private static final long RAMP_MILLIS = TenantLoad.RAMP_MILLIS;
  private static final long LOAD_MILLIS = TenantLoad.MILLIS;
  private static final long GET_EVERY_MILLIS = 200;

  /** A turn of 100 ms counts when it ends: of each tenant there may be one more or less. */
  private static final double TURN = 100.0 / LOAD_MILLIS;

  private static LocalCluster cluster;
  private static Path policies;

  @BeforeAll
  static void start() throws IOException {
    cluster =
        PlainDrive.of(TenantsIT.class)
            .conf("dfs.block.access.token.enable", "true")
            .conf("dfs.datanode.synconclose", "true")
            .start();
    policies = Files.createDirectories(cluster.directory().resolve("policies"));
    Map<org.apache.hadoop.fs.Path, Integer> files = new LinkedHashMap<>();
    for (int i = 0; i <= STREAMS; i++) {
      files.put(TenantLoad.file(i), TenantLoad.FILE_MIB);
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

  /** As an operator does. */
  private static String setTenants(String alice, String bob) throws Exception {
    return setPolicy(
        "<tenant name='a' " + alice + "/>",
        "<tenant name='b' " + bob + "/>",
        "<rule user='alice' highest='rt:0' tenant='a'/>",
        "<rule user='bob' highest='rt:0' tenant='b'/>");
  }

  private static String setPolicy(String... lines) throws Exception {
    Path file = Files.createTempFile(policies, "policy", ".xml");
    String all = String.join("\n", lines);
    Files.writeString(file, "<io-priority-policy>\n" + all + "\n</io-priority-policy>\n");
    return DiskTimeIT.reconfigure(cluster, POLICY, file.toString());
  }

  private static JsonNode bean(String name) throws IOException {
    return cluster.jmx(cluster.daemon(Role.DATANODE), name).path(0);
  }

  /** What the DataNode knows of its disk. */
  private static JsonNode queue() throws IOException {
    return bean(PriorityMBean.OBJECT_NAME).path("Volumes").path(0).path("queue");
  }

  /** What the DataNode knows of a tenant. */
  private static JsonNode tenant(String name) throws IOException {
    for (JsonNode each : queue().path("tenants")) {
      if (each.path("tenant").asText().equals(name)) {
        return each;
      }
    }
    return MissingNode.getInstance();
  }

  /** For how long a tenant's requests of any class had the disk while those of another waited. */
  private static long blamed(JsonNode waiter, String holder) {
    long millis = 0;
    for (JsonNode each : waiter.path("blamed")) {
      millis += each.path("tenant").asText().equals(holder) ? each.path("millis").asLong() : 0;
    }
    return millis;
  }

  private static TenantParts parts(String first, String second) throws Exception {
    Thread.sleep(RAMP_MILLIS);
    TenantParts parts =
        TenantParts.measure(() -> new JsonNode[] {tenant(first), tenant(second)}, LOAD_MILLIS);
    System.err.println(first + ", " + second + ": " + parts);
    return parts;
  }

  private static TenantParts parts() throws Exception {
    return parts("a", "b");
  }

  private static TenantParts partsOfStreams(int ofAlice, int ofBob) throws Exception {
    try (TenantLoad load = new TenantLoad(cluster)) {
      load.streams("alice", 0, ofAlice).streams("bob", ofAlice, ofBob);
      return parts();
    }
  }

  @Test
  void usersHaveDiskTimeByTheirTenantsHoweverManyStreamsTheyHave() throws Exception {
    assertTrue(setTenants("weight='1'", "weight='1'").contains("SUCCESS"));
    TenantParts equal = partsOfStreams(STREAMS, 1);
    assertEquals(0.5, equal.of(0), 0.05);
    assertEquals(0.5, equal.of(1), 0.05);

    assertTrue(setTenants("weight='1'", "weight='4'").contains("SUCCESS"));
    TenantParts weighted = partsOfStreams(STREAMS / 2 + 1, STREAMS / 2);
    assertEquals(0.2, weighted.of(0), 0.02 + TURN, weighted.toString());
    assertTrue(weighted.of(0) + weighted.of(1) > 0.95, weighted.toString());

    assertTrue(setTenants("weight='1'", "weight='0.01' guarantee='0.3'").contains("SUCCESS"));
    TenantParts guaranteed = partsOfStreams(STREAMS, 1);
    assertTrue(guaranteed.of(1) >= 0.27, "guaranteed: " + guaranteed.of(1));
  }

  @Test
  void aJobCountsForTheTenantThatItMayName() throws Exception {
    setPolicy(
        "<tenant name='a'/>",
        "<tenant name='b'/>",
        "<rule user='alice' highest='be:0' tenant='a' on-behalf-of='b'/>",
        "<rule user='bob' highest='be:0' tenant='b'/>");
    try (TenantLoad load = new TenantLoad(cluster)) {
      load.streams("alice", Map.of("dfs.client.io.tenant", "b"), 0, 2)
          .streams("bob", Map.of("dfs.client.io.tenant", "a"), 2, 1);
      TenantParts parts = parts();
      assertTrue(parts.of(0) < 0.05 && parts.of(1) > 0.8, parts.toString());
    }
    long refused =
        cluster
            .jmx(cluster.daemon(Role.DATANODE), PriorityMBean.OBJECT_NAME)
            .path(0)
            .path("TenantsRefused")
            .asLong();
    assertTrue(refused > 0, "bob may not name a");
  }

  @Test
  void aWaitIsBlamedOnWhoHadTheDisk() throws Exception {
    assertTrue(setTenants("weight='1'", "weight='1'").contains("SUCCESS"));
    String slow = "dfs.datanode.io.priority.scheduler.slow.ms";
    assertTrue(DiskTimeIT.reconfigure(cluster, slow, "20").contains("SUCCESS"));
    JsonNode before = tenant("b");
    Instant begun = Instant.now();
    partsOfStreams(STREAMS, 1);
    JsonNode after = tenant("b");
    long waited = after.path("waitMillis").asLong() - before.path("waitMillis").asLong();
    long blamed = blamed(after, "a") - blamed(before, "a");
    // Each of these numbers is rounded down.
    assertTrue(blamed > 0.8 * waited && blamed <= waited + 2, blamed + " of " + waited + " ms");
    assertTrue(after.path("slow").asLong() > before.path("slow").asLong(), after.toString());
    int reads = 0;
    for (JsonNode read : queue().path("slowReads")) {
      // Those before are other tests'.
      if (Instant.parse(read.path("time").asText()).isAfter(begun)) {
        long had = blamed(read, "a") + blamed(read, "b");
        assertTrue(read.path("waitMillis").asLong() >= 20, read.toString());
        assertTrue(had > 0 && had <= read.path("waitMillis").asLong(), read.toString());
        reads++;
      }
    }
    assertTrue(reads > 0, "slow reads");
    await("the metrics have a record of the tenant")
        .atMost(Duration.ofMinutes(1))
        .until(TenantsIT::metricsOfB, record -> record.path("OthersHadMillis").asLong() >= blamed);
  }

  /** Of one read the milliseconds of each holder, by class and, but for real-time, tenant. */
  private static void addBlamed(JsonNode read, Map<String, Long> all) {
    for (JsonNode each : read.path("blamed")) {
      assertEquals("client-read", each.path("role").asText(), read.toString());
      boolean isRealtime = each.path("ioClass").asText().equals("rt");
      String level = each.path("tenant").asText().equals("a") ? "be,0,2" : "be,0,6";
      all.merge(isRealtime ? "rt,0,0" : level, each.path("millis").asLong(), Long::sum);
    }
  }

  /** What slow reads were blamed on, and when each of them waited. */
  private static final class SlowReads {
    private final TracedHolds holds = new TracedHolds();
    private final Set<JsonNode> reads = new LinkedHashSet<>();
    private final Map<String, Long> blamedMillis = new HashMap<>();
    private final Map<String, Long> tracedNanos = new HashMap<>();

    /** Streams of both, at levels that tell them apart, beside a user's real-time readers. */
    void run(int realtime) throws Exception {
      String level = "dfs.client.io.priority";
      long begun;
      try (BlockTrace trace = BlockTrace.startWithCompletions(cluster.devices(), holds::add);
          TenantLoad load = new TenantLoad(cluster)) {
        load.streams("alice", Map.of(level, "be:2"), 0, STREAMS / 2)
            .streams("bob", Map.of(level, "be:6"), STREAMS / 2, STREAMS / 2)
            .realtime("alice", realtime);
        Thread.sleep(RAMP_MILLIS);
        begun = System.nanoTime();
        // The DataNode remembers a hundred.
        while (System.nanoTime() - begun < TimeUnit.MILLISECONDS.toNanos(LOAD_MILLIS)) {
          Thread.sleep(200);
          queue().path("slowReads").forEach(reads::add);
        }
        assertEquals(0, trace.stop().lostEvents(), "lost events");
      }
      addAll(begun);
    }

    private void addAll(long begun) {
      long epoch = ChronoUnit.NANOS.between(Instant.EPOCH, Instant.now()) - System.nanoTime();
      for (JsonNode read : reads) {
        Instant ended = Instant.parse(read.path("time").asText());
        long end = ChronoUnit.NANOS.between(Instant.EPOCH, ended) - epoch;
        long from = end - TimeUnit.MILLISECONDS.toNanos(read.path("waitMillis").asLong());
        if (from > begun) {
          addBlamed(read, blamedMillis);
          holds
              .between(from, end)
              .forEach((holder, held) -> tracedNanos.merge(holder, held, Long::sum));
        }
      }
      System.err.printf(
          "%d reads, blamed %s ms, traced %s ns%n", reads.size(), blamedMillis, tracedNanos);
    }

    /** What was blamed on who has that priority, by the work for it that the trace shows. */
    double blamedByTraced(String holder) {
      return blamedMillis.get(holder) * 1e6 / tracedNanos.get(holder);
    }
  }

  @Test
  void blameIsWhatTheBlockTraceShows() throws Exception {
    Clusters.requireBlockTrace(cluster);
    assertTrue(setTenants("weight='1'", "weight='1'").contains("SUCCESS"));
    String slow = "dfs.datanode.io.priority.scheduler.slow.ms";
    assertTrue(DiskTimeIT.reconfigure(cluster, slow, "50").contains("SUCCESS"));
    SlowReads streams = new SlowReads();
    streams.run(0);
    assertEquals(1, streams.blamedByTraced("be,0,2"), 0.1, "alice's streams");
    assertEquals(1, streams.blamedByTraced("be,0,6"), 0.1, "bob's streams");
    SlowReads both = new SlowReads();
    both.run(1);
    // When it comes, the stream's last requests are at the drive still: some of both is either's.
    assertEquals(1, both.blamedByTraced("rt,0,0"), 0.25, "alice's real-time");
  }

  /** A new tenant is noticed when the record of the process is read. */
  private static JsonNode metricsOfB() throws IOException {
    bean("Hadoop:service=DataNode,name=IoPriority");
    return bean("Hadoop:service=DataNode,name=IoPriorityTenants-b-*");
  }

  @Test
  void whoSyncsWhatHeWritesHasHisPartOnly() throws Exception {
    assertTrue(setTenants("weight='1'", "weight='1'").contains("SUCCESS"));
    double alone;
    try (TenantLoad load = new TenantLoad(cluster)) {
      alone = load.streams("bob", 0, 2).megabytes();
    }
    try (FileSystem fs = FileSystem.newInstance(cluster.hadoopConf())) {
      org.apache.hadoop.fs.Path home = new org.apache.hadoop.fs.Path("/user/alice");
      fs.mkdirs(home);
      fs.setOwner(home, "alice", null);
    }
    double beside;
    try (TenantLoad load = new TenantLoad(cluster)) {
      beside = load.writers("alice", 4).streams("bob", 0, 2).megabytes();
    }
    System.err.printf("bob reads %.1f MB/s alone, %.1f beside writers%n", alone, beside);
    assertTrue(beside > 0.35 * alone, beside + " of " + alone + " MB/s");
  }

  /** In any 10 s. */
  private static void assertLimit(double limit, TenantParts parts) {
    assertTrue(parts.of(0) >= 0.85 * limit && parts.most(0) <= 1.1 * limit, parts.toString());
  }

  @Test
  void aLimitHoldsAloneAndBesideOthers() throws Exception {
    assertTrue(setTenants("limit='0.3'", "weight='1'").contains("SUCCESS"));
    assertLimit(0.3, partsOfStreams(2, 0));
    assertLimit(0.3, partsOfStreams(STREAMS, 1));

    String wrong = setTenants("guarantee='0.7'", "guarantee='0.7'");
    assertTrue(
        wrong.contains("FAILED")
            && wrong.contains("line 3: the guarantees of [a, b] are 1.4 together; allowed: 1"),
        wrong);
    assertLimit(0.3, partsOfStreams(2, 0));
  }

  /** Reads of a user who asks now and then, in milliseconds, in their order. */
  private static List<Double> fewGets(String user) throws Exception {
    List<Double> millis = new ArrayList<>();
    try (FileSystem fs = TenantLoad.fileSystem(cluster, user, Map.of())) {
      long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(RAMP_MILLIS + LOAD_MILLIS);
      while (System.nanoTime() < end) {
        millis.add(TenantLoad.getMillis(fs));
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
    double alone = p95(fewGets("bob"));
    double beside;
    double flood;
    try (TenantLoad load = new TenantLoad(cluster)) {
      load.realtime("alice", Scale.TENANT_READERS.value());
      Thread.sleep(RAMP_MILLIS);
      beside = p95(fewGets("bob"));
      flood = parts().of(0);
    }
    System.err.printf("p95 of bob's reads: alone %.1f ms, beside %.1f ms%n", alone, beside);
    assertTrue(beside <= 3 * alone, beside + " ms, alone " + alone + " ms");
    assertTrue(flood > 0.5, "the flood goes on: " + flood);
  }

  /** The manual's example (policy.md), but for tables, which a DataNode does not know. */
  @Test
  void thePolicyOfThreeTeamsDoesWhatItSays() throws Exception {
    String set =
        setPolicy(
            "<tenant name='serving' weight='4' guarantee='0.3'/>",
            "<tenant name='etl' limit='0.5'/>",
            "<rule server='datanode' user='hbase' highest='rt:0' on-behalf-of='*'/>",
            "<rule user='shop' highest='rt:0' tenant='serving'/>",
            "<rule user='etl-*' highest='be:4' tenant='etl'/>",
            "<rule user='*' highest='be:0'/>");
    assertTrue(set.contains("SUCCESS"), set);
    double alone = p95(fewGets("shop"));
    try (TenantLoad load = new TenantLoad(cluster)) {
      load.streams("shop", 0, 2).streams("etl-nightly", 2, 2).streams("joe", 4, 2);
      TenantParts parts = parts("serving", "etl");
      assertEquals(4 / 6.0, parts.of(0), 0.05 + TURN, parts.toString());
      assertEquals(1 / 6.0, parts.of(1), 0.02 + TURN, parts.toString());
    }
    try (TenantLoad load = new TenantLoad(cluster)) {
      load.streams("etl-nightly", 0, 2);
      assertLimit(0.5, parts("etl", "default"));
      double beside = p95(fewGets("shop"));
      System.err.printf("p95 of the shop's reads: alone %.1f ms, beside %.1f ms%n", alone, beside);
      assertTrue(beside <= 3 * alone, beside + " ms, alone " + alone + " ms");
    }
  }
}
