// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.lab.it;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.hadoopprio.IoPriority;
import org.hadoopprio.hbase.client.IoPriorities;
import org.hadoopprio.lab.cluster.LocalCluster;
import org.hadoopprio.lab.disk.VirtualDisk;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * Who sets a job to idle slows down nobody by that: others' Gets of the same table, normal and
 * real-time ones, beside the job's cold Gets and scans and beside flushes, which wait for the lock
 * of a store that a reader holds. They are compared with those beside the same job without a
 * priority, in the same run.
 */
class IdleJobIT {

  /** What an idle job may add to a Get's 99th percentile; usual is a fraction of it. */
  private static final double MOST = 1.1;

  private static final IoPriority REALTIME = IoPriority.realtime(0);
  private static final TableName TABLE = TableName.valueOf("users");

  /** Three times what fits into the DataNode's page cache. */
  private static final int ROWS = 40_000;

  private static final int DATANODE_MIB = 448;
  private static final int JOB_GETS = 64;
  private static final int JOB_SCANS = 4;
  private static final int SCANNED_ROWS = 100;
  private static final long FLUSH_MILLIS = 2_000;
  private static final long THINK_MILLIS = 50;
  private static final long RAMP_MILLIS = 2_000;
  private static final long LOAD_MILLIS = 12_000;

  private static LocalCluster cluster;
  private static Connection connection;

  private final ConcurrentLinkedQueue<Long> normal = new ConcurrentLinkedQueue<>();
  private final ConcurrentLinkedQueue<Long> realtime = new ConcurrentLinkedQueue<>();

  @BeforeAll
  static void start() throws Exception {
    cluster =
        PlainDrive.of(IdleJobIT.class)
            .hbase(true)
            .littlePageCache(DATANODE_MIB)
            // Blocks are read at the disk each time.
            .conf("hfile.block.cache.size", "0.05")
            .start();
    connection = ConnectionFactory.createConnection(cluster.hbaseConf());
    VirtualDisk disk = (VirtualDisk) cluster.disks().get(0);
    VirtualDisk.fast(cluster.disks(), () -> RandomRows.load(connection, TABLE, ROWS));
    disk.vhdd().set(Map.of("mode", "ncq"));
  }

  @AfterAll
  static void stop() throws IOException {
    if (connection != null) {
      connection.close();
    }
    if (cluster != null) {
      cluster.stop();
    }
  }

  @Test
  void anIdleJobSlowsDownNobodysGets() throws Exception {
    measure(IoPriority.NONE);
    double[] without = {percentile(normal), percentile(realtime)};
    measure(IoPriority.IDLE);
    double[] idle = {percentile(normal), percentile(realtime)};
    String figures =
        String.format(
            "p99 of normal and real-time Gets beside a job without a priority %s ms, at idle %s ms",
            Arrays.toString(without), Arrays.toString(idle));
    System.err.println(figures);
    assertTrue(idle[0] <= MOST * without[0], figures);
    assertTrue(idle[1] <= MOST * without[1], figures);
  }

  private static double percentile(ConcurrentLinkedQueue<Long> nanos) {
    long[] sorted = nanos.stream().mapToLong(Long::longValue).sorted().toArray();
    assertTrue(sorted.length > 0, "no Get was answered");
    return sorted[(sorted.length - 1) * 99 / 100] / 1e6;
  }

  private void measure(IoPriority job) throws Exception {
    AtomicBoolean end = new AtomicBoolean();
    ExecutorService threads = Executors.newCachedThreadPool();
    List<Future<?>> running = new ArrayList<>();
    try {
      for (int i = 0; i < JOB_GETS; i++) {
        running.add(threads.submit(() -> get(job, new ConcurrentLinkedQueue<>(), 0, end)));
      }
      for (int i = 0; i < JOB_SCANS; i++) {
        running.add(threads.submit(() -> scan(job, end)));
      }
      running.add(threads.submit(() -> flush(end)));
      running.add(threads.submit(() -> get(IoPriority.NONE, normal, THINK_MILLIS, end)));
      running.add(threads.submit(() -> get(REALTIME, realtime, THINK_MILLIS, end)));
      TimeUnit.MILLISECONDS.sleep(RAMP_MILLIS);
      normal.clear();
      realtime.clear();
      TimeUnit.MILLISECONDS.sleep(LOAD_MILLIS);
      end.set(true);
      for (Future<?> each : running) {
        each.get(2, TimeUnit.MINUTES);
      }
    } finally {
      end.set(true);
      threads.shutdownNow();
    }
  }

  private static Void get(
      IoPriority priority, ConcurrentLinkedQueue<Long> nanos, long thinkMillis, AtomicBoolean end)
      throws Exception {
    try (Table table = connection.getTable(TABLE)) {
      while (!end.get()) {
        Get get = new Get(anyRow()).setCacheBlocks(false);
        if (!priority.equals(IoPriority.NONE)) {
          IoPriorities.set(get, priority);
        }
        long begin = System.nanoTime();
        table.get(get);
        nanos.add(System.nanoTime() - begin);
        TimeUnit.MILLISECONDS.sleep(thinkMillis);
      }
    }
    return null;
  }

  private static Void scan(IoPriority priority, AtomicBoolean end) throws IOException {
    try (Table table = connection.getTable(TABLE)) {
      while (!end.get()) {
        Scan scan = new Scan().withStartRow(anyRow()).setLimit(SCANNED_ROWS).setCacheBlocks(false);
        if (!priority.equals(IoPriority.NONE)) {
          IoPriorities.set(scan, priority);
        }
        try (ResultScanner rows = table.getScanner(scan)) {
          while (!end.get() && rows.next() != null) {
            // Only read.
          }
        }
      }
    }
    return null;
  }

  /** A store's flush waits until no reader holds its lock, and new readers wait for the flush. */
  private static Void flush(AtomicBoolean end) throws Exception {
    try (Table table = connection.getTable(TABLE);
        Admin admin = connection.getAdmin()) {
      while (!end.get()) {
        table.put(
            new Put(anyRow())
                .addColumn(
                    RandomRows.FAMILY, RandomRows.QUALIFIER, new byte[RandomRows.VALUE_BYTES]));
        admin.flush(TABLE);
        TimeUnit.MILLISECONDS.sleep(FLUSH_MILLIS);
      }
    }
    return null;
  }

  private static byte[] anyRow() {
    return RandomRows.key(ThreadLocalRandom.current().nextInt(ROWS));
  }
}
