package org.hadoopprio.lab.it;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.hbase.CompareOperator;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.filter.RegexStringComparator;
import org.apache.hadoop.hbase.filter.ValueFilter;
import org.apache.hadoop.hbase.util.Bytes;
import org.hadoopprio.IoPriority;
import org.hadoopprio.hbase.client.IoPriorities;
import org.hadoopprio.lab.cluster.LocalCluster;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** A real-time Get does not wait behind scans that keep the only handler busy. */
class SchedulerIT {

  private static final TableName TABLE = TableName.valueOf("busy");
  private static final byte[] FAMILY = Bytes.toBytes("f");
  private static final int ROWS = 60;
  private static final int SCANNERS = 6;
  private static final int GETS = 8;

  /** Takes milliseconds of CPU to find no match in the value below. */
  private static final String SLOW_REGEX = "x*x*x*y";

  private static final String VALUE = "x".repeat(70);

  private static LocalCluster cluster;

  @BeforeAll
  static void start() throws IOException {
    cluster = SharedCluster.get();
    try (Connection connection = ConnectionFactory.createConnection(cluster.hbaseConf());
        Admin admin = connection.getAdmin();
        Table table = connection.getTable(TABLE)) {
      admin.createTable(
          TableDescriptorBuilder.newBuilder(TABLE)
              .setColumnFamily(ColumnFamilyDescriptorBuilder.of(FAMILY))
              .build());
      for (int i = 0; i < ROWS; i++) {
        table.put(new Put(Bytes.toBytes(i)).addColumn(FAMILY, FAMILY, Bytes.toBytes(VALUE)));
      }
    }
  }

  @AfterAll
  static void stop() throws IOException {
    if (cluster != null) {
      try (Connection connection = ConnectionFactory.createConnection(cluster.hbaseConf())) {
        Clusters.drop(connection, TABLE);
      }
    }
  }

  @Test
  void aRealtimeGetDoesNotWaitBehindScans() throws Exception {
    double with = meanGetMillis();
    SharedCluster.getWithStockScheduler();
    double without = meanGetMillis();
    System.out.printf(
        "A real-time Get beside %d scans on 1 handler: %.1f ms with the scheduler, %.1f ms"
            + " without%n",
        SCANNERS, with, without);
    assertTrue(without > 200, "the scans did not saturate the handler: " + without + " ms");
    assertTrue(with < 0.05 * without, with + " ms is not under 5 % of " + without + " ms");
  }

  private static double meanGetMillis() throws Exception {
    ExecutorService scanners = Executors.newFixedThreadPool(SCANNERS);
    try (Connection connection = ConnectionFactory.createConnection(cluster.hbaseConf());
        Connection scanning = ConnectionFactory.createConnection(cluster.hbaseConf());
        Table table = connection.getTable(TABLE)) {
      Get get = IoPriorities.set(new Get(Bytes.toBytes(1)), IoPriority.realtime(0));
      assertFalse(table.get(get).isEmpty());
      List<Future<?>> running = new ArrayList<>();
      for (int i = 0; i < SCANNERS; i++) {
        running.add(scanners.submit(() -> scanForEver(scanning)));
      }
      TimeUnit.SECONDS.sleep(3);
      long nanos = 0;
      for (int i = 0; i < GETS; i++) {
        long start = System.nanoTime();
        assertFalse(table.get(get).isEmpty());
        nanos += System.nanoTime() - start;
        TimeUnit.MILLISECONDS.sleep(200);
      }
      for (Future<?> scan : running) {
        assertFalse(scan.isDone(), "a scanner has given up");
      }
      return nanos / 1e6 / GETS;
    } finally {
      scanners.shutdownNow();
      assertTrue(scanners.awaitTermination(1, TimeUnit.MINUTES));
    }
  }

  private static Void scanForEver(Connection connection) throws IOException {
    Scan scan =
        new Scan()
            .setFilter(
                new ValueFilter(CompareOperator.EQUAL, new RegexStringComparator(SLOW_REGEX)));
    try (Table table = connection.getTable(TABLE)) {
      while (!Thread.currentThread().isInterrupted()) {
        try (ResultScanner scanner = table.getScanner(scan)) {
          assertNull(scanner.next(), "no value matches");
        }
      }
    }
    return null;
  }
}
