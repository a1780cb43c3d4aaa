// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.lab.it;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.hadoopprio.IoPriority;
import org.hadoopprio.jmx.PriorityMBean;
import org.hadoopprio.lab.cluster.Daemon;
import org.hadoopprio.lab.cluster.LocalCluster;
import org.hadoopprio.lab.cluster.Role;
import org.hadoopprio.lab.trace.BlockTraceSummary;
import org.hadoopprio.lab.workload.YcsbClient;
import org.hadoopprio.lab.workload.YcsbReads;
import org.hadoopprio.lab.workload.YcsbTable;
import org.hadoopprio.lab.workload.YcsbTables;
import org.junit.jupiter.api.Test;

/**
 * Daemon by daemon a stock cluster gets the agent and loses it again, while YCSB reads and writes,
 * and no operation fails, as docs/operations.md promises.
 */
class RollingUpgradeIT {

  private static final IoPriority PRIORITY = IoPriority.realtime(3);
  private static final YcsbTable TABLE = new YcsbTable("usertable", 1_000, 4 << 20);
  private static final double OPERATIONS_PER_SECOND = 40;
  private static final int YCSB_THREADS = 8;
  private static final Duration PATIENCE = Duration.ofMinutes(2);

  @Test
  void daemonByDaemonAndBackUnderLoad() throws Exception {
    try (LocalCluster cluster =
        Clusters.of(RollingUpgradeIT.class)
            .dataNodes(3)
            .regionServers(2)
            .replication(2)
            .yarn(false)
            .stock()
            // A WAL goes on with one DataNode less.
            .conf("dfs.client.block.write.replace-datanode-on-failure.best-effort", "true")
            // HBase leaves a DataNode it could not reach out of its WALs for hours, three at most,
            // which is all there are: the RegionServer would abort.
            .conf("hbase.regionserver.async.wal.max.exclude.datanode.count", "1")
            .start()) {
      Clusters.requireBlockTrace(cluster);
      Path logs = Path.of("target", "it", "RollingUpgradeIT-ycsb").toAbsolutePath();
      new YcsbTables(cluster.hbaseConf()).create(TABLE.name());
      new YcsbClient(cluster, logs).load(TABLE, done -> {});
      new YcsbTables(cluster.hbaseConf()).settle(TABLE.name(), () -> {});
      SpreadFile.write(cluster);
      long from = System.currentTimeMillis();
      try (YcsbReads load = startLoad(cluster, logs)) {
        upgrade(cluster, load);
        rollBack(cluster, load);
        long to = System.currentTimeMillis();
        assertEquals(0, load.failures(from, to), "failed operations");
        assertTrue(
            load.operations() > OPERATIONS_PER_SECOND * (to - from) / 1000 / 4,
            () -> "YCSB should have gone on, and did " + load.operations() + " operations");
      }
    }
  }

  /** The client asks for real-time all the time; nothing in it is hadoop-prio's agent. */
  private static YcsbReads startLoad(LocalCluster cluster, Path logs) throws IOException {
    YcsbReads.Arrival arrival = YcsbReads.Arrival.poisson(OPERATIONS_PER_SECOND, 1, YCSB_THREADS);
    List<String> arguments =
        new ArrayList<>(YcsbReads.arguments(TABLE, arrival, Optional.of(PRIORITY)));
    arguments.addAll(List.of("-p", "readproportion=0.5", "-p", "updateproportion=0.5"));
    return YcsbReads.start(
        all -> cluster.client("site.ycsb.Client", all).agentClassesOnly().toProcessBuilder(),
        arguments,
        logs.resolve("load"));
  }

  private static void upgrade(LocalCluster cluster, YcsbReads load) throws Exception {
    for (Daemon dataNode : cluster.daemons(Role.DATANODE)) {
      cluster.restart(dataNode, o -> o.agent(true));
      awaitProgress(load);
      readAndCheck(cluster);
    }
    cluster.restart(cluster.daemon(Role.MASTER), o -> o.agent(true));
    for (Daemon regionServer : cluster.daemons(Role.REGIONSERVER)) {
      cluster.restart(regionServer, o -> o.agent(true));
      awaitProgress(load);
    }
    long stamped = 0;
    for (Daemon regionServer : cluster.daemons(Role.REGIONSERVER)) {
      stamped += Clusters.metric(cluster, regionServer, "Stamped").asLong();
    }
    assertTrue(stamped > 0, "the RegionServers should have stamped reads");
    assertEquals(0, Clusters.dataNodes(cluster, "Failed"));
    BlockTraceSummary seen = Clusters.traced(cluster, () -> SpreadFile.read(cluster, PRIORITY));
    assertTrue(seen.reads(PRIORITY).bytes() >= SpreadFile.BYTES / 2, seen.toString());
  }

  private static void rollBack(LocalCluster cluster, YcsbReads load) throws Exception {
    for (Daemon regionServer : cluster.daemons(Role.REGIONSERVER)) {
      cluster.restart(regionServer, o -> o.agent(false));
      awaitProgress(load);
    }
    cluster.restart(cluster.daemon(Role.MASTER), o -> o.agent(false));
    for (Daemon dataNode : cluster.daemons(Role.DATANODE)) {
      cluster.restart(dataNode, o -> o.agent(false));
      awaitProgress(load);
      readAndCheck(cluster);
    }
    BlockTraceSummary seen = Clusters.traced(cluster, () -> SpreadFile.read(cluster, PRIORITY));
    assertTrue(seen.allReads().requests() > 0, seen.toString());
    assertEquals(0, seen.reads(PRIORITY).requests(), seen.toString());
  }

  /** Waits until YCSB has done more operations than were due since it last told how many. */
  private static void awaitProgress(YcsbReads load) throws Exception {
    long before = load.operations();
    await("YCSB goes on")
        .atMost(PATIENCE)
        .until(
            () -> {
              load.requireAlive();
              return load.operations() >= before + OPERATIONS_PER_SECOND;
            });
  }

  /** The priority counts on every DataNode with the agent; the others do not know of one. */
  private static void readAndCheck(LocalCluster cluster) throws IOException {
    List<Long> before = granted(cluster);
    SpreadFile.read(cluster, PRIORITY);
    List<Long> after = granted(cluster);
    List<Daemon> dataNodes = cluster.daemons(Role.DATANODE);
    for (int i = 0; i < dataNodes.size(); i++) {
      if (dataNodes.get(i).hasAgent()) {
        assertTrue(after.get(i) > before.get(i), dataNodes.get(i).name() + " granted none");
      } else {
        assertEquals(-1, after.get(i), dataNodes.get(i).name() + " should be stock");
      }
    }
  }

  /** Real-time reads granted by each DataNode; -1 where the agent is not in it. */
  private static List<Long> granted(LocalCluster cluster) throws IOException {
    List<Long> granted = new ArrayList<>();
    for (Daemon dataNode : cluster.daemons(Role.DATANODE)) {
      JsonNode beans = cluster.jmx(dataNode, PriorityMBean.OBJECT_NAME);
      granted.add(beans.isEmpty() ? -1 : beans.get(0).path("GrantedRealtime").asLong());
    }
    return granted;
  }
}
