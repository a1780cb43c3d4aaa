// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.hbase.regionserver;

import static org.hadoopprio.hbase.regionserver.MiniCluster.row;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import net.bytebuddy.ByteBuddy;
import net.bytebuddy.agent.ByteBuddyAgent;
import net.bytebuddy.asm.Advice;
import net.bytebuddy.dynamic.DynamicType;
import net.bytebuddy.dynamic.loading.ClassReloadingStrategy;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.ipc.RpcServer;
import org.apache.hadoop.hbase.regionserver.HStore;
import org.hadoopprio.IoPriority;
import org.hadoopprio.PriorityScope;
import org.hadoopprio.agent.hooks.Hook;
import org.hadoopprio.hbase.agent.HBaseModules;
import org.hadoopprio.hbase.client.IoPriorities;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Reads for which a store's lock is held, with the agent's hooks in HBase's store. */
@ExtendWith(MiniCluster.class)
class LockedReadsClusterTest {

  private static final IoPriority NORMAL = IoPriority.NONE;

  private static ClassReloadingStrategy classes;
  private static TableName name;

  @BeforeAll
  static void weave() throws Exception {
    name = MiniCluster.table("locked", null);
    MiniCluster.load(name, 200, new byte[100]);
    ByteBuddyAgent.install();
    classes = ClassReloadingStrategy.fromInstalledAgent();
    weave(HStore.class, Set.of("store-lock", "reopen-files", "split-point"));
    weave(RpcServer.class, Set.of("served-call"));
    // The first read of the file also reads its index.
    try (Table table = table()) {
      table.get(new Get(row(0)));
    }
  }

  private static <T> void weave(Class<T> type, Set<String> names) throws ClassNotFoundException {
    List<Hook> hooks =
        HBaseModules.ALL.stream()
            .flatMap(module -> module.hooks().stream())
            .filter(hook -> names.contains(hook.name()))
            .collect(Collectors.toList());
    assertEquals(names.size(), hooks.size());
    DynamicType.Builder<T> woven = new ByteBuddy().redefine(type);
    for (Hook hook : hooks) {
      woven = woven.visit(Advice.to(Class.forName(hook.advice())).on(hook.methods()));
    }
    woven.make().load(type.getClassLoader(), classes);
  }

  @AfterAll
  static void takeOut() throws IOException {
    classes.reset(HStore.class);
    classes.reset(RpcServer.class);
  }

  private static Table table() throws IOException {
    return MiniCluster.connection().getTable(name);
  }

  private static Set<IoPriority> priorities() {
    return RecordingFileSystem.take("locked").stream()
        .map(read -> read.priority)
        .collect(Collectors.toSet());
  }

  /** A Get finds its row while it seeks. */
  @Test
  void aGetBelowNormalReadsAtNormalWhatItSeeks() throws IOException {
    try (Table table = table()) {
      for (String priority : List.of("idle", "be:5", "be:7", "be:7@50ms")) {
        RecordingFileSystem.take("locked");
        table.get(IoPriorities.set(new Get(row(7)), IoPriority.parse(priority)));
        List<RecordingFileSystem.Read> reads = RecordingFileSystem.take("locked");
        // It may look at the next block without the lock.
        assertEquals(NORMAL, reads.get(0).priority, reads.toString());
      }
    }
  }

  @Test
  void whoIsAboveNormalIsNotLowered() throws IOException {
    try (Table table = table()) {
      for (IoPriority priority : List.of(IoPriority.realtime(3), IoPriority.bestEffort(1))) {
        RecordingFileSystem.take("locked");
        table.get(IoPriorities.set(new Get(row(8)), priority));
        assertEquals(Set.of(priority), priorities());
      }
    }
  }

  @Test
  void aScanAtIdleSeeksAtNormalAndReadsOnAtIdle() throws IOException {
    RecordingFileSystem.take("locked");
    Scan scan = IoPriorities.set(new Scan().setCaching(20), IoPriority.IDLE);
    try (Table table = table();
        ResultScanner scanner = table.getScanner(scan)) {
      while (scanner.next() != null) {
        // To its end.
      }
    }
    List<RecordingFileSystem.Read> reads = RecordingFileSystem.take("locked");
    assertEquals(NORMAL, reads.get(0).priority, "the seek");
    List<RecordingFileSystem.Read> later = reads.subList(1, reads.size());
    long normal = later.stream().filter(read -> NORMAL.equals(read.priority)).count();
    assertTrue(normal <= 2, later.toString());
    // Without the agent's other hooks the change to a stream has no priority.
    long idle = later.stream().filter(read -> IoPriority.IDLE.equals(read.priority)).count();
    assertTrue(idle > later.size() * 0.8, idle + " of " + later.size());
  }

  /** The flush waits for the store's lock, and lets no other reader pass meanwhile. */
  @Test
  void anIdleScanThatWaitsForTheDiskStopsNeitherAFlushNorARealtimeGet() throws Exception {
    TableName flushed = TableName.valueOf("flushed");
    MiniCluster.util()
        .getAdmin()
        .createTable(
            TableDescriptorBuilder.newBuilder(flushed)
                .setColumnFamily(
                    ColumnFamilyDescriptorBuilder.newBuilder(MiniCluster.FAMILY)
                        .setBlocksize(1024)
                        .build())
                .build());
    MiniCluster.load(flushed, 200, new byte[100]);
    ExecutorService clients = Executors.newCachedThreadPool();
    Get cached = IoPriorities.set(new Get(row(0)), IoPriority.realtime(2));
    Scan idle = IoPriorities.set(new Scan().withStartRow(row(100)), IoPriority.IDLE);
    try (Table table = MiniCluster.connection().getTable(flushed)) {
      assertFalse(table.get(cached).isEmpty());
      try (ResultScanner scanner = table.getScanner(idle);
          RecordingFileSystem.BusyDisk disk = RecordingFileSystem.busyFor("flushed")) {
        Future<?> scan = clients.submit(() -> scanner.next());
        assertTrue(disk.awaitRead(), "the scan reads at idle");
        table.put(new Put(row(300)).addColumn(MiniCluster.FAMILY, row(1), row(1)));
        Future<?> flush =
            clients.submit(
                () -> {
                  MiniCluster.util().getAdmin().flush(flushed);
                  return null;
                });
        flush.get(1, TimeUnit.MINUTES);
        assertFalse(clients.submit(() -> table.get(cached)).get(1, TimeUnit.MINUTES).isEmpty());
        assertFalse(scan.isDone(), "it waits on");
        disk.close();
        scan.get(1, TimeUnit.MINUTES);
      }
    } finally {
      clients.shutdownNow();
    }
  }

  /** A client asks for it with RegionInfo, at the priority of its connection. */
  @Test
  void theRowThatDividesAStoreIsLookedForAtNormal() throws IOException {
    TableName divided = TableName.valueOf("divided");
    MiniCluster.util()
        .getAdmin()
        .createTable(
            TableDescriptorBuilder.newBuilder(divided)
                .setColumnFamily(
                    ColumnFamilyDescriptorBuilder.newBuilder(MiniCluster.FAMILY)
                        .setBlocksize(1024)
                        .setConfiguration("hfile.index.block.max.size", "128")
                        .build())
                .build());
    MiniCluster.load(divided, 200, new byte[100]);
    HStore store =
        MiniCluster.util()
            .getHBaseCluster()
            .getRegions(divided)
            .get(0)
            .getStore(MiniCluster.FAMILY);
    RecordingFileSystem.take("divided");
    try (PriorityScope scope = PriorityScope.open(IoPriority.IDLE)) {
      assertTrue(store.getSplitPoint().isPresent());
    }
    List<RecordingFileSystem.Read> reads = RecordingFileSystem.take("divided");
    assertFalse(reads.isEmpty(), "an index of one block");
    assertTrue(reads.stream().allMatch(read -> NORMAL.equals(read.priority)), reads.toString());
  }

  /**
   * The answer to the call that opens the scan tells its id; the scan alone states the priority.
   */
  @Test
  void allLaterCallsOfAScanAtIdleHaveTheBackgroundHandlers() throws IOException {
    Scan scan = IoPriorities.set(new Scan().setCaching(10), IoPriority.IDLE);
    scan.setFilter(ProbeFilter.noting("background"));
    try (Table table = table();
        ResultScanner scanner = table.getScanner(scan)) {
      while (scanner.next() != null) {
        // To its end.
      }
    }
    List<ProbeFilter.Sight> rows = ProbeFilter.take("background");
    assertEquals(200, rows.size());
    assertTrue(rows.stream().allMatch(row -> row.thread.contains("background")), rows.toString());
  }
}
