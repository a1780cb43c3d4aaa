// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.lab.it;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import org.hadoopprio.IoPriority;
import org.hadoopprio.lab.cluster.ClientCommand;
import org.hadoopprio.lab.cluster.LocalCluster;
import org.hadoopprio.lab.cluster.Role;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * Stock and patched clients read and write through stock and patched DataNodes. Every block has a
 * replica on both DataNodes, so each client writes through both; then one DataNode at a time serves
 * the reads.
 */
class CompatibilityIT {

  private static final String PATCHED = "datanode-1";
  private static final String STOCK = "datanode-2";
  private static final int FILE_MIB = 8;

  private static LocalCluster cluster;

  @BeforeAll
  static void start() throws IOException {
    cluster =
        Clusters.of(CompatibilityIT.class)
            .hbase(false)
            .yarn(false)
            .dataNodes(2)
            .replication(2)
            .configure(STOCK, o -> o.stock())
            // Both replicas, or the write fails: neither DataNode may be left out in silence.
            .conf("dfs.client.block.write.replace-datanode-on-failure.enable", "false")
            .start();
  }

  @AfterAll
  static void stop() throws IOException {
    if (cluster != null) {
      cluster.stop();
    }
  }

  private static ClientCommand client(boolean stock, String action, String file)
      throws IOException {
    ClientCommand client =
        cluster
            .client(SampleFile.class.getName(), action, file, Integer.toString(FILE_MIB))
            .addClassPath(TestClasses.directory())
            .env("HADOOP_IO_PRIORITY", "rt:3");
    return stock ? client.stock() : client;
  }

  private static long realtimeReads() throws IOException {
    return Clusters.metric(cluster, cluster.daemon(PATCHED), "GrantedRealtime").asLong();
  }

  @Test
  void everyPairReadsAndWrites() throws Exception {
    Clusters.output(client(true, "write", "/by-stock"));
    Clusters.output(client(false, "write", "/by-patched"));

    cluster.stop(cluster.daemon(STOCK));
    long before = realtimeReads();
    Clusters.output(client(true, "read", "/by-stock"));
    Clusters.output(client(true, "read", "/by-patched"));
    assertEquals(before, realtimeReads(), "a stock client's reads have no priority");
    Clusters.output(client(false, "read", "/by-stock"));
    Clusters.output(client(false, "read", "/by-patched"));
    assertEquals(before + 2, realtimeReads(), "two files of one block");

    cluster.start(cluster.daemon(STOCK));
    cluster.stop(cluster.daemon(PATCHED));
    for (boolean stock : new boolean[] {true, false}) {
      Clusters.output(client(stock, "read", "/by-stock"));
      Clusters.output(client(stock, "read", "/by-patched"));
    }
    cluster.start(cluster.daemon(PATCHED));
  }

  /** The default of the key: an operator who has allowed nothing grants no real-time. */
  @Test
  void realtimeIsClampedWhereItIsNotAllowed() throws Exception {
    cluster.restart(
        cluster.daemon(PATCHED), o -> o.conf("dfs.datanode.io.priority.highest", "be:0"));
    Clusters.output(client(false, "write", "/clamped"));
    // The write is clamped, too, unless the stock DataNode was the first of its pipeline.
    long written = Clusters.metric(cluster, cluster.daemon(PATCHED), "Clamped").asLong();
    cluster.stop(cluster.daemon(STOCK));
    Clusters.output(client(false, "read", "/clamped"));
    assertEquals(
        written + 1, Clusters.metric(cluster, cluster.daemon(PATCHED), "Clamped").asLong());
    assertEquals(
        1, Clusters.metric(cluster, cluster.daemon(PATCHED), "GrantedBestEffort").asLong());
    assertEquals(0, realtimeReads());
    cluster.start(cluster.daemon(STOCK));
    cluster.restart(
        cluster.daemon(PATCHED),
        o -> o.conf("dfs.datanode.io.priority.highest", IoPriority.realtime(0).toString()));
  }

  @Test
  void theClustersDaemonsAreWhatTheTestSays() throws IOException {
    assertEquals(
        0, cluster.jmx(cluster.daemon(STOCK), "org.hadoopprio:*").size(), "stock has no MXBean");
    assertEquals(Role.DATANODE, cluster.daemon(PATCHED).role());
    assertEquals(
        Clusters.metric(cluster, cluster.daemon(PATCHED), "HooksTotal").asInt(),
        Clusters.metric(cluster, cluster.daemon(PATCHED), "HooksApplied").asInt());
  }
}
