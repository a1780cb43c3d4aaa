// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.hbase.regionserver;

import static org.hadoopprio.hbase.regionserver.MiniCluster.row;
import static org.hadoopprio.lab.testing.Soon.soon;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.ipc.RpcScheduler;
import org.hadoopprio.IoPriority;
import org.hadoopprio.hbase.client.IoPriorities;
import org.hadoopprio.hbase.regionserver.ProbeFilter.Sight;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Which handler takes a call. There are two general handlers and one for real-time calls. */
@ExtendWith(MiniCluster.class)
class RpcSchedulerClusterTest {

  private static final IoPriority RT3 = IoPriority.realtime(3);

  private static TableName name;
  private static TableName urgent;

  private final ExecutorService clients = Executors.newCachedThreadPool();
  private final AtomicBoolean stop = new AtomicBoolean();
  private final List<Future<Void>> load = new ArrayList<>();

  @BeforeAll
  static void makeTables() throws IOException {
    name = MiniCluster.table("scheduled", null);
    urgent = MiniCluster.table("urgent", "rt:4");
    MiniCluster.load(name, 200, new byte[100]);
    MiniCluster.load(urgent, 200, new byte[100]);
  }

  /** Waits until handlers that have just answered a call are free again and can be chosen. */
  @BeforeEach
  void awaitFreeHandlers() {
    awaitHandlers(0);
  }

  private static void awaitHandlers(int busy) {
    soon(busy + " busy handlers")
        .until(MiniCluster.scheduler()::getActiveGeneralRpcHandlerCount, count -> count == busy);
  }

  private static void awaitQueued(int calls) {
    soon(calls + " calls in the general queue")
        .until(MiniCluster.scheduler()::getGeneralQueueLength, length -> length >= calls);
  }

  @AfterEach
  void stopClients() throws Exception {
    stop.set(true);
    clients.shutdown();
    assertTrue(clients.awaitTermination(60, TimeUnit.SECONDS));
    for (Future<Void> client : load) {
      client.get();
    }
    ProbeFilter.take("load");
  }

  @Test
  void onlyRealtimeCallsUseTheRealtimeHandler() throws Exception {
    try (Table table = table();
        Table byTable = MiniCluster.connection().getTable(urgent)) {
      assertTrue(alone(table, "rt", RT3).onRealtimeHandler());
      assertFalse(alone(table, "be", IoPriority.bestEffort(0)).onRealtimeHandler());
      assertFalse(alone(table, "plain", null).onRealtimeHandler());
      assertTrue(alone(byTable, "by table", null).onRealtimeHandler());
      assertFalse(alone(byTable, "not by table", IoPriority.NONE).onRealtimeHandler());
    }
  }

  @Test
  void aBatchNeedsToBeAllRealtime() throws Exception {
    try (Table table = table()) {
      table.get(List.of(probe("all", RT3), probe("all", RT3)));
      table.get(List.of(probe("some", RT3), probe("some", null)));
    }
    List<Sight> all = ProbeFilter.take("all");
    List<Sight> some = ProbeFilter.take("some");
    assertEquals(2, all.size());
    assertTrue(all.stream().allMatch(Sight::onRealtimeHandler));
    assertEquals(2, some.size());
    assertTrue(some.stream().noneMatch(Sight::onRealtimeHandler));
  }

  @Test
  void followUpCallsOfARealtimeScannerUseTheRealtimeHandler() throws Exception {
    Scan scan = IoPriorities.set(new Scan().setCaching(10), RT3);
    scan.setFilter(ProbeFilter.noting("follow-up"));
    try (Table table = table();
        ResultScanner scanner = table.getScanner(scan)) {
      do {
        awaitHandlers(0);
      } while (scanner.next() != null);
    }
    List<Sight> rows = ProbeFilter.take("follow-up");
    assertEquals(200, rows.size());
    // Ten rows in the opening call, ten in the first call with the scanner's id.
    assertTrue(rows.subList(0, 10).stream().allMatch(Sight::onRealtimeHandler));
    assertTrue(rows.subList(20, 200).stream().allMatch(Sight::onRealtimeHandler));
  }

  @Test
  void metaKeepsItsOwnHandlers() throws Exception {
    Scan scan = IoPriorities.set(new Scan(), RT3);
    scan.setFilter(ProbeFilter.noting("meta"));
    try (Connection connection = MiniCluster.connection(IoPriorities.connectionAttributes(RT3));
        Table meta = connection.getTable(TableName.META_TABLE_NAME);
        ResultScanner scanner = meta.getScanner(scan)) {
      assertFalse(scanner.next().isEmpty());
    }
    List<Sight> rows = ProbeFilter.take("meta");
    assertFalse(rows.isEmpty());
    assertTrue(rows.stream().noneMatch(Sight::onRealtimeHandler), rows.get(0).thread);
  }

  @Test
  void aRealtimeGetDoesNotWaitBehindScansThatFillTheHandlers() throws Exception {
    saturateGeneralHandlers();
    try (Table table = table()) {
      long plain = medianNanos(table, null);
      long realtime = medianNanos(table, RT3);
      assertTrue(
          realtime < plain * 0.05,
          "real-time "
              + TimeUnit.NANOSECONDS.toMicros(realtime)
              + " us, plain "
              + TimeUnit.NANOSECONDS.toMicros(plain)
              + " us");
    }
  }

  @Test
  void aFullRealtimeQueueOverflowsIntoTheGeneralOneAndLosesNothing() throws Exception {
    saturateGeneralHandlers();
    List<Future<Result>> gets = realtimeGets(6, ProbeFilter.slow("overflow", 400));
    for (Future<Result> get : gets) {
      assertFalse(get.get(60, TimeUnit.SECONDS).isEmpty());
    }
    List<Sight> sights = ProbeFilter.take("overflow");
    assertEquals(6, sights.size());
    long realtime = sights.stream().filter(Sight::onRealtimeHandler).count();
    // How many depends on whether the handler has emptied its queue when the next call arrives.
    assertTrue(realtime >= 1 && realtime < 6, realtime + " on the real-time handler");
  }

  @Test
  void freeGeneralHandlersHelpWhenTheRealtimeOneIsBusy() throws Exception {
    CountDownLatch held = ProbeFilter.hold();
    List<Future<Result>> gets = new ArrayList<>();
    try {
      // The real-time handler, and half of the two general ones; both kinds are counted.
      for (int busy = 1; busy <= 2; busy++) {
        gets.addAll(realtimeGets(1, ProbeFilter.held("spill")));
        awaitHandlers(busy);
      }
      RpcScheduler scheduler = MiniCluster.scheduler();
      assertEquals(2, scheduler.getActiveRpcHandlerCount());
      assertEquals(0, scheduler.getGeneralQueueLength());
      // So is the queue.
      gets.addAll(realtimeGets(1, ProbeFilter.held("queued")));
      awaitQueued(1);
      try (Table table = table()) {
        assertFalse(get(table, "beside", null).onRealtimeHandler());
      }
    } finally {
      held.countDown();
    }
    for (Future<Result> get : gets) {
      get.get();
    }
    assertEquals(1, ProbeFilter.take("queued").size());
    List<Sight> sights = ProbeFilter.take("spill");
    assertEquals(2, sights.size());
    assertEquals(1, sights.stream().filter(Sight::onRealtimeHandler).count());
  }

  /** Scans without a priority, more than the two handlers can serve at a time. */
  private void saturateGeneralHandlers() throws Exception {
    for (int i = 0; i < 6; i++) {
      load.add(
          clients.submit(
              (Callable<Void>)
                  () -> {
                    while (!stop.get()) {
                      Scan scan = new Scan().setCaching(10);
                      scan.setFilter(ProbeFilter.slow("load", 40));
                      try (Table table = table();
                          ResultScanner scanner = table.getScanner(scan)) {
                        while (!stop.get() && scanner.next(10).length > 0) {
                          // Each call occupies a handler for ten slow rows.
                        }
                      }
                    }
                    return null;
                  }));
    }
    awaitQueued(3);
  }

  private List<Future<Result>> realtimeGets(int count, ProbeFilter filter) {
    List<Future<Result>> gets = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      gets.add(
          clients.submit(
              () -> {
                try (Table table = table()) {
                  Get get = IoPriorities.set(new Get(row(1)), RT3);
                  get.setFilter(filter);
                  return table.get(get);
                }
              }));
    }
    return gets;
  }

  private static long medianNanos(Table table, IoPriority priority) throws IOException {
    long[] nanos = new long[5];
    for (int i = 0; i < nanos.length; i++) {
      long begin = System.nanoTime();
      get(table, "waits", priority);
      nanos[i] = System.nanoTime() - begin;
    }
    Arrays.sort(nanos);
    return nanos[nanos.length / 2];
  }

  /** Runs while no other call is in progress, so that only the priority decides. */
  private static Sight alone(Table table, String label, IoPriority priority) throws Exception {
    awaitHandlers(0);
    return get(table, label, priority);
  }

  private static Sight get(Table table, String label, IoPriority priority) throws IOException {
    table.get(probe(label, priority));
    return ProbeFilter.take(label).get(0);
  }

  private static Get probe(String label, IoPriority priority) {
    Get get = new Get(row(7));
    get.setFilter(ProbeFilter.noting(label));
    return priority == null ? get : IoPriorities.set(get, priority);
  }

  private static Table table() throws IOException {
    return MiniCluster.connection().getTable(name);
  }
}
