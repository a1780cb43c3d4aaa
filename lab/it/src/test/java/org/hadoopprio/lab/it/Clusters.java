// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.lab.it;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.Connection;
import org.hadoopprio.IoPriority;
import org.hadoopprio.jmx.PriorityMBean;
import org.hadoopprio.lab.cluster.ClientCommand;
import org.hadoopprio.lab.cluster.ClusterBuilder;
import org.hadoopprio.lab.cluster.Daemon;
import org.hadoopprio.lab.cluster.Installation;
import org.hadoopprio.lab.cluster.LocalCluster;
import org.hadoopprio.lab.cluster.Role;
import org.hadoopprio.lab.disk.Privileges;
import org.hadoopprio.lab.testing.Need;
import org.hadoopprio.lab.trace.BlockTrace;
import org.hadoopprio.lab.trace.BlockTraceSummary;
import org.hadoopprio.tools.trace.BlockTraceUnavailableException;

/** What the end-to-end tests share. */
final class Clusters {

  static final int MIB = 1 << 20;

  /** The share of bytes that must have the priority; the rest is left for file system metadata. */
  static final double NEARLY_ALL = 0.98;

  /** The share of the data that must come from the disk; some pages withstand the eviction. */
  private static final double FROM_DISK = 0.95;

  /** Index, bloom filter and first blocks of a few store files. */
  private static final long SEEK_BYTES = 512 << 10;

  /**
   * The default priorities of the roles in which a RegionServer writes, as the kernel shows them.
   */
  private static final Set<String> WRITTEN_AT = Set.of("be,0,0", "be,0,1", "be,0,2", "be,0,6");

  /** Work that reads. */
  @FunctionalInterface
  interface Reads {
    void run() throws Exception;
  }

  private Clusters() {}

  /** A cluster of this test class's own; the {@link SharedCluster} does not run beside it. */
  static ClusterBuilder of(Class<?> test) throws IOException {
    SharedCluster.stop();
    return LocalCluster.builder(directory(test)).stopAtExit(true).quickClose();
  }

  /** The directory of a test class's own cluster. */
  static Path directory(Class<?> test) {
    return Path.of("target", "it", test.getSimpleName()).toAbsolutePath();
  }

  /** A port of this host that nothing listens on at present. */
  static int freePort() throws IOException {
    try (ServerSocket free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return free.getLocalPort();
    }
  }

  /** The lines of a daemon's log that contain any of these texts. */
  static List<String> logged(Daemon daemon, String... texts) throws IOException {
    try (Stream<String> lines = Files.lines(daemon.logFile())) {
      return lines
          .filter(line -> Arrays.stream(texts).anyMatch(line::contains))
          .collect(Collectors.toList());
    }
  }

  /** What the NameNode counts of blocks. */
  static JsonNode blocks(LocalCluster cluster) throws IOException {
    return cluster
        .jmx(cluster.daemon(Role.NAMENODE), "Hadoop:service=NameNode,name=FSNamesystem")
        .get(0);
  }

  /**
   * Waits until the NameNode has all replicas that it wants. One that a DataNode reports late is
   * made once more, and a trace would show that.
   */
  static void awaitRedundancy(LocalCluster cluster) {
    await("the NameNode wants no replicas")
        .atMost(Duration.ofMinutes(1))
        .until(
            () -> blocks(cluster),
            blocks ->
                blocks.get("LowRedundancyBlocks").asLong()
                        + blocks.get("PendingReconstructionBlocks").asLong()
                    == 0);
  }

  /** What the block layer saw of the cluster's disks while something read from cold caches. */
  static BlockTraceSummary traced(LocalCluster cluster, Reads reads) throws Exception {
    cluster.evictPageCache();
    try (BlockTrace trace = BlockTrace.start(cluster.devices())) {
      reads.run();
      BlockTraceSummary summary = trace.stop();
      assertEquals(0, summary.lostEvents(), "lost events");
      return summary;
    }
  }

  /** A client of the cluster, with some keys set besides. */
  static FileSystem fileSystem(LocalCluster cluster, String... keysAndValues) throws IOException {
    Configuration conf = cluster.hadoopConf();
    for (int i = 0; i < keysAndValues.length; i += 2) {
      conf.set(keysAndValues[i], keysAndValues[i + 1]);
    }
    return FileSystem.newInstance(conf);
  }

  /** Removes tables that a test class has made in a cluster which others use after it. */
  static void drop(Connection connection, TableName... tables) throws IOException {
    try (Admin admin = connection.getAdmin()) {
      for (TableName table : tables) {
        if (admin.tableExists(table)) {
          admin.disableTable(table);
          admin.deleteTable(table);
        }
      }
    }
  }

  /** Skips a test that only root can do; in CI that is a failure. */
  static void requireRoot(String what) {
    Need.ROOT.require(Privileges.isRoot(), "for " + what);
  }

  /** Skips a test where the kernel's block trace cannot be had; in CI that is a failure. */
  static void requireBlockTrace(LocalCluster cluster) throws IOException {
    try {
      BlockTrace.start(cluster.devices()).close();
    } catch (BlockTraceUnavailableException e) {
      Need.BLOCK_TRACE.missing(e.getMessage(), e);
    }
  }

  /** A file that module native has built. */
  static Path built(String file) throws IOException {
    return Installation.find().home().resolve("native/target").resolve(file);
  }

  static void assertNearlyAll(IoPriority priority, long atLeastBytes, BlockTraceSummary seen) {
    assertTrue(
        seen.shareOfReadBytes(priority) > NEARLY_ALL,
        () -> "over 98 % of the bytes should be " + priority + ": " + seen);
    assertTrue(
        seen.reads(priority).bytes() >= atLeastBytes * FROM_DISK,
        () -> "at least " + atLeastBytes + " bytes should have come from the disk: " + seen);
  }

  /**
   * The same for a scan below normal: HBase seeks with a lock of the store held, and what is read
   * then is read at the normal priority.
   */
  static void assertNearlyAllButSeeks(
      IoPriority priority, long atLeastBytes, BlockTraceSummary seen) {
    assertTrue(
        seen.reads(IoPriority.NONE).bytes() < SEEK_BYTES,
        () -> "more than seeks are normal: " + seen);
    assertTrue(
        seen.shareOfReadBytes(priority) + seen.shareOfReadBytes(IoPriority.NONE) > NEARLY_ALL,
        () -> "over 98 % of the bytes should be " + priority + " or seeks: " + seen);
    assertTrue(
        seen.reads(priority).bytes() >= atLeastBytes * FROM_DISK - SEEK_BYTES,
        () -> "at least " + atLeastBytes + " bytes should have come from the disk: " + seen);
  }

  /** Reads happened, all of them at one priority. */
  static void assertOnly(IoPriority priority, BlockTraceSummary seen) {
    assertTrue(seen.allReads().requests() > 0, () -> "nothing was read: " + seen);
    assertEquals(
        seen.allReads().requests(),
        seen.reads(priority).requests(),
        () -> "all reads should be " + priority + ": " + seen);
  }

  /**
   * Reads happened, all at one priority but those at the priorities of what HBase writes. It may
   * begin a log or a store file at any time, for which the file system reads its own metadata: less
   * than a block of a store file.
   */
  static void assertOnlyBesideWrites(IoPriority priority, BlockTraceSummary seen) {
    assertFalse(WRITTEN_AT.contains(BlockTraceSummary.kernelText(priority)), priority::toString);
    assertTrue(seen.reads(priority).requests() > 0, () -> "none was read: " + seen);
    List<BlockTraceSummary.Count> beside =
        seen.reads().entrySet().stream()
            .filter(read -> WRITTEN_AT.contains(read.getKey()))
            .map(Map.Entry::getValue)
            .collect(Collectors.toList());
    long ofWrites = beside.stream().mapToLong(BlockTraceSummary.Count::requests).sum();
    assertTrue(
        beside.stream().mapToLong(BlockTraceSummary.Count::bytes).sum() < RandomRows.BLOCK_BYTES,
        () -> "reads at priorities of what is written: " + seen);
    assertEquals(
        seen.allReads().requests() - ofWrites,
        seen.reads(priority).requests(),
        () -> "all reads should be " + priority + ": " + seen);
  }

  /** The sum of a counter of the agent's MXBean over the DataNodes. */
  static long dataNodes(LocalCluster cluster, String counter) throws IOException {
    long sum = 0;
    for (Daemon dataNode : cluster.daemons(Role.DATANODE)) {
      sum += metric(cluster, dataNode, counter).asLong();
    }
    return sum;
  }

  /** An attribute of the agent's MXBean in a daemon. */
  static JsonNode metric(LocalCluster cluster, Daemon daemon, String attribute) throws IOException {
    JsonNode beans = cluster.jmx(daemon, PriorityMBean.OBJECT_NAME);
    assertEquals(1, beans.size(), daemon.name() + " has no " + PriorityMBean.OBJECT_NAME);
    JsonNode value = beans.get(0).get(attribute);
    assertTrue(value != null, daemon.name() + " has no attribute " + attribute);
    return value;
  }

  /** Runs a client JVM to its end and returns what it printed; it must succeed. */
  static String output(ClientCommand client) throws Exception {
    return output(client.toProcessBuilder());
  }

  /** Runs a process to its end and returns what it printed; it must succeed. */
  static String output(ProcessBuilder builder) throws Exception {
    Process process = builder.redirectErrorStream(true).start();
    process.getOutputStream().close();
    String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertTrue(process.waitFor(5, TimeUnit.MINUTES), "client did not end");
    assertEquals(0, process.exitValue(), output);
    return output;
  }
}
