// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.lab.it;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.lang.reflect.Field;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.DFSClient;
import org.apache.hadoop.hdfs.DFSInputStream;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.client.HdfsDataInputStream;
import org.apache.hadoop.net.unix.DomainSocket;
import org.hadoopprio.IoPriority;
import org.hadoopprio.hdfs.PriorityReads;
import org.hadoopprio.hdfs.datanode.engine.EngineKeys;
import org.hadoopprio.lab.cluster.ClusterBuilder;
import org.hadoopprio.lab.cluster.LocalCluster;
import org.hadoopprio.lab.cluster.Role;
import org.hadoopprio.lab.cluster.ShortCircuit;
import org.hadoopprio.lab.disk.Vhdd;
import org.hadoopprio.lab.disk.VirtualDisk;
import org.hadoopprio.lab.testing.Need;
import org.hadoopprio.metrics.PriorityMetrics;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * Reads with a latency target while one of two disks is slow or hangs: they are read from the other
 * one, and no DataNode is dead for that. The drives are virtual; what makes them slow is how long
 * each command takes before it begins.
 */
class LateReadsIT {

  private static final Path FILE = new Path("/file");
  private static final int MIB = 1 << 20;
  private static final int FILE_MIB = 64;
  private static final int READ_BYTES = 56 * 1024;
  private static final String TARGET = "rt:0@100ms";
  private static final int STREAMS = 8;
  private static final int READS = 40;
  private static final int ROUNDS = 60;

  /** How long a command takes before it begins, of a drive that is not slow. */
  private static final String OVERHEAD = "150us";

  /** Every read is elsewhere: the drive would answer one of before out of its buffer. */
  private static final Random PLACES = new Random(1);

  private static LocalCluster cluster;
  private static List<Vhdd> drives;
  private static byte[] content;

  @BeforeAll
  static void start() throws Exception {
    Need.LIBHADOOP.require(Optional.ofNullable(DomainSocket.getLoadingFailureReason()));
    ShortCircuit.makeDirectory();
    ClusterBuilder builder = PlainDrive.of(LateReadsIT.class).dataNodes(2).replication(2);
    String limited =
        Clusters.directory(LateReadsIT.class).resolve("disks/datanode-2/dfs").toString();
    String library = Clusters.built("pbs/libhprio_pbs.so").toString();
    cluster =
        builder
            .configure(Role.DATANODE, options -> ShortCircuit.conf().forEach(options::conf))
            .configure(
                Role.DATANODE,
                o ->
                    o.conf(EngineKeys.ENGINE.name(), "thread, " + limited + "=direct")
                        .conf(EngineKeys.DURATION_LIMITS.name(), "off, " + limited + "=1:1us")
                        .conf(EngineKeys.LIBRARY.name(), library))
            .start();
    drives = new ArrayList<>();
    for (var disk : cluster.disks()) {
      drives.add(((VirtualDisk) disk).vhdd());
    }
    content = new byte[FILE_MIB * MIB];
    new Random(1).nextBytes(content);
    try (FileSystem fs = FileSystem.newInstance(cluster.hadoopConf())) {
      VirtualDisk.fast(
          cluster.disks(),
          () -> {
            try (FSDataOutputStream out = fs.create(FILE)) {
              out.write(content);
            }
          });
    }
  }

  @AfterAll
  static void stop() throws IOException {
    if (cluster != null) {
      cluster.stop();
    }
    ShortCircuit.remove();
  }

  @AfterEach
  void asBefore() throws Exception {
    commandsTake(0, OVERHEAD);
    // The command that the drive had begun with would take as long as it was to.
    drives.get(0).loading(true);
    drives.get(0).loading(false);
    cluster.evictPageCache();
    forgetLateStorages();
  }

  /** As a new process: a client avoids a storage for some seconds after it has been late. */
  private static void forgetLateStorages() throws ReflectiveOperationException {
    Field known =
        Class.forName("org.hadoopprio.hdfs.client.LateReads").getDeclaredField("STORAGES");
    known.setAccessible(true);
    Field storages = known.getType().getDeclaredField("storages");
    storages.setAccessible(true);
    ((Map<?, ?>) storages.get(known.get(null))).clear();
  }

  /** What the second DataNode says of its engine. */
  private static JsonNode engine() throws IOException {
    return Clusters.metric(cluster, cluster.daemons(Role.DATANODE).get(1), "Engines").get(0);
  }

  private static void commandsTake(int drive, String time) throws IOException {
    drives.get(drive).set(Map.of("overhead_ns", time));
  }

  /** A client that leaves nothing in the page cache. */
  private static FileSystem fileSystem() throws IOException {
    Configuration conf = cluster.hadoopConf();
    conf.setBoolean("dfs.client.cache.drop.behind.reads", true);
    return FileSystem.newInstance(conf);
  }

  /** How long each of the reads took, in ms, in ascending order; the bytes are compared. */
  private static long[] read(List<FSDataInputStream> streams, String priority, int reads)
      throws IOException {
    IoPriority stated = IoPriority.parse(priority);
    long[] millis = new long[reads];
    byte[] buffer = new byte[READ_BYTES];
    for (int i = 0; i < reads; i++) {
      int place = PLACES.nextInt((FILE_MIB - 1) * 16) * (MIB / 16);
      long begin = System.nanoTime();
      PriorityReads.readFully(
          streams.get(i % streams.size()), place, buffer, 0, READ_BYTES, stated);
      millis[i] = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - begin);
      assertArrayEquals(Arrays.copyOfRange(content, place, place + READ_BYTES), buffer);
    }
    Arrays.sort(millis);
    return millis;
  }

  /**
   * Half of them prefer one DataNode, half the other one, in turn. The NameNode gives each open
   * file the DataNodes in a random order.
   */
  private static List<FSDataInputStream> open(FileSystem fs) throws IOException {
    List<FSDataInputStream> streams = new ArrayList<>();
    String last = "";
    while (streams.size() < STREAMS) {
      FSDataInputStream stream = fs.open(FILE);
      String preferred =
          ((HdfsDataInputStream) stream).getAllBlocks().get(0).getLocations()[0].getDatanodeUuid();
      if (preferred.equals(last)) {
        stream.close();
      } else {
        streams.add(stream);
        last = preferred;
      }
    }
    return streams;
  }

  private static int deadNodes(FileSystem fs, List<FSDataInputStream> streams) {
    DFSClient client = ((DistributedFileSystem) fs).getClient();
    int dead = 0;
    for (FSDataInputStream stream : streams) {
      DFSInputStream in = (DFSInputStream) ((HdfsDataInputStream) stream).getWrappedStream();
      dead += client.getDeadNodes(in).size();
    }
    return dead;
  }

  @Test
  void aSlowDiskIsLeftToItself() throws Exception {
    commandsTake(0, "400ms");
    long elsewhere = PriorityMetrics.ELSEWHERE.sum();
    long refused = Clusters.dataNodes(cluster, "Refused");
    try (FileSystem fs = fileSystem()) {
      List<FSDataInputStream> streams = open(fs);
      long[] without = read(streams, "rt:0", STREAMS);
      assertTrue(
          without[STREAMS - 1] >= 400, "no read met the slow disk: " + Arrays.toString(without));
      long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(5);
      List<long[]> rounds = new ArrayList<>();
      while (System.nanoTime() - end < 0) {
        rounds.add(read(streams, TARGET, READS));
      }
      long[] last = rounds.get(rounds.size() - 1);
      assertTrue(last[READS / 2] < 100, "median of " + Arrays.toString(last));
      assertTrue(last[READS - 1] < 400, "at most " + Arrays.toString(last));
      assertEquals(0, deadNodes(fs, streams));
    }
    assertTrue(PriorityMetrics.ELSEWHERE.sum() > elsewhere, "no read went elsewhere");
    assertTrue(Clusters.dataNodes(cluster, "Refused") > refused, "no read was refused");
  }

  /** The slow disk takes some 45 ms; readers that ask for less must not send this one away. */
  @Test
  void aTargetThatTheDiskCannotMeetSendsNobodyElseAway() throws Exception {
    commandsTake(0, "30ms");
    long elsewhere = PriorityMetrics.ELSEWHERE.sum();
    try (FileSystem fs = fileSystem()) {
      List<FSDataInputStream> streams = open(fs);
      for (int i = 0; i < ROUNDS && PriorityMetrics.ELSEWHERE.sum() == elsewhere; i++) {
        read(streams, "rt:0@20ms", READS);
      }
      assertTrue(PriorityMetrics.ELSEWHERE.sum() > elsewhere, "no read was too late");
      var slow = cluster.daemons(Role.DATANODE).get(0);
      final long before = Clusters.metric(cluster, slow, "GrantedRealtime").asLong();
      read(streams, "rt:0@900ms", READS);
      long reads = Clusters.metric(cluster, slow, "GrantedRealtime").asLong() - before;
      assertTrue(reads >= READS / 4, reads + " of " + READS + " from the slow disk");
    }
  }

  @Test
  void aDiskThatHangsDelaysFewReads() throws Exception {
    commandsTake(0, "3600s");
    long elsewhere = PriorityMetrics.ELSEWHERE.sum();
    try (FileSystem fs = fileSystem()) {
      List<FSDataInputStream> streams = open(fs);
      long[] millis = read(streams, TARGET, 5 * READS);
      // Twice the target, then the other replica.
      assertTrue(millis[millis.length - 1] < 1_000, Arrays.toString(millis));
      assertEquals(0, deadNodes(fs, streams));
    }
    long went = PriorityMetrics.ELSEWHERE.sum() - elsewhere;
    assertTrue(went >= 1 && went <= 10, went + " reads went elsewhere");
  }

  @Test
  void aShortCircuitReadIsRefused() throws Exception {
    commandsTake(0, "400ms");
    long elsewhere = PriorityMetrics.ELSEWHERE.sum();
    long refused = Clusters.dataNodes(cluster, "Refused");
    Configuration conf = cluster.hadoopConf();
    ShortCircuit.conf().forEach(conf::set);
    // Keep no replica's file open in this process, or its disk cannot be unmounted.
    conf.set("dfs.client.context", "late");
    conf.set("dfs.client.read.shortcircuit.streams.cache.size", "0");
    try (FileSystem fs = FileSystem.newInstance(conf)) {
      List<FSDataInputStream> streams = open(fs);
      long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(30);
      while (Clusters.dataNodes(cluster, "Refused") == refused && System.nanoTime() - end < 0) {
        cluster.evictPageCache();
        read(streams, TARGET, READS);
      }
      assertEquals(0, deadNodes(fs, streams));
    }
    assertTrue(Clusters.dataNodes(cluster, "Refused") > refused, "no read was refused");
    assertTrue(PriorityMetrics.ELSEWHERE.sum() > elsewhere, "no read went elsewhere");
  }

  /**
   * The duration limit of a command makes the drive end it at once. The drive is a SAS one: of a
   * SATA drive the kernel tells only when nothing else is at the drive, which is late to go
   * elsewhere.
   */
  @Test
  void whatADriveGivesUpIsReadElsewhere() throws Exception {
    long expired = engine().get("expired").asLong();
    long elsewhere = PriorityMetrics.ELSEWHERE.sum();
    // The drive may give up only what can be read elsewhere: the other one must be in time.
    drives.get(0).loading(true);
    drives
        .get(1)
        .set(
            Map.of(
                "mode", "cdl",
                "transport", "sas",
                "overhead_ns", "3ms",
                "cdl1_active_ns", "1ns",
                "cdl1_active_policy", "complete-unavailable"));
    try (FileSystem fs = fileSystem()) {
      List<FSDataInputStream> streams = open(fs);
      // A read of this drive takes 4 to 14 ms: too much at p95, so that a limit is sought, but not
      // on average, so that the DataNode does not refuse. It is enough to go elsewhere. A client
      // avoids for up to 30 s what earlier tests have made slow.
      long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
      while (System.nanoTime() - end < 0
          && (engine().get("expired").asLong() == expired
              || PriorityMetrics.ELSEWHERE.sum() == elsewhere)) {
        read(streams, "rt:0@12ms", READS);
      }
      assertEquals(0, deadNodes(fs, streams));
    } finally {
      drives.get(1).set(Map.of("mode", "ncq", "overhead_ns", OVERHEAD));
    }
    assertTrue(engine().get("expired").asLong() > expired, engine().toString());
    assertTrue(PriorityMetrics.ELSEWHERE.sum() > elsewhere, "no read went elsewhere");
    assertEquals(
        List.of(),
        Clusters.logged(
            cluster.daemons(Role.DATANODE).get(1),
            "suspect block",
            "bad block",
            "Likely the client has stopped"));
  }

  @Test
  void theLastReplicaIsWaitedFor() throws Exception {
    commandsTake(0, "300ms");
    commandsTake(1, "300ms");
    try (FileSystem fs = fileSystem()) {
      List<FSDataInputStream> streams = open(fs);
      long[] millis = read(streams, TARGET, STREAMS);
      assertTrue(millis[0] >= 300, Arrays.toString(millis));
      assertTrue(millis[STREAMS - 1] < 2_000, Arrays.toString(millis));
      assertEquals(0, deadNodes(fs, streams));
    } finally {
      commandsTake(1, OVERHEAD);
    }
  }
}
