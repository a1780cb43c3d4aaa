// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.lab.bench.owners;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.Closeable;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.hadoopprio.hbase.client.IoPriorities;

/**
 * Clients that write, get and scan the rows of a table, and check what they read, beside an
 * administrator who has it flushed and compacted, and another table opened again and again.
 * Thread-safe.
 */
final class HBaseClients implements Closeable {

  private static final TableName TABLE = TableName.valueOf("owners");

  /** What is read into the block cache when it is opened. */
  private static final TableName PREFETCHED = TableName.valueOf("prefetched");

  private static final int REGIONS = 4;
  private static final int PUTTERS = 2;
  private static final int GETTERS = 2;
  private static final int PAUSE_MS = 10;
  private static final int SCAN_PAUSE_MS = 100;
  private static final int SCANNED_ROWS = 500;
  private static final int BATCH = 100;
  private static final long SEED = 1;
  private static final int MAX_FAILURES = 10;
  private static final long END_TIMEOUT_MS = 60_000;

  private final Connection connection;
  private final OwnersScale scale;
  private final KnownRows rows;
  private final AtomicLong puts = new AtomicLong();
  private final AtomicLong gets = new AtomicLong();
  private final AtomicLong scanned = new AtomicLong();
  private final ConcurrentLinkedQueue<String> failures = new ConcurrentLinkedQueue<>();
  private final ConcurrentLinkedQueue<String> refused = new ConcurrentLinkedQueue<>();
  private final List<Thread> threads = new ArrayList<>();
  private volatile boolean ending;

  HBaseClients(Configuration conf, OwnersScale scale) throws IOException {
    this.connection = ConnectionFactory.createConnection(conf);
    this.scale = scale;
    this.rows = new KnownRows(scale.rows());
  }

  /** Makes both tables and writes all rows; the second one is left disabled. */
  void fill() throws IOException {
    try (Admin admin = connection.getAdmin()) {
      admin.balancerSwitch(false, true);
      byte[][] splits = new byte[REGIONS - 1][];
      for (int i = 1; i < REGIONS; i++) {
        splits[i - 1] = KnownRows.key(i * scale.rows() / REGIONS);
      }
      // Data are not cached, so that Gets and scans read the disk.
      ColumnFamilyDescriptorBuilder family =
          ColumnFamilyDescriptorBuilder.newBuilder(KnownRows.FAMILY);
      admin.createTable(
          TableDescriptorBuilder.newBuilder(TABLE)
              .setColumnFamily(family.setBlockCacheEnabled(false).build())
              .build(),
          splits);
      family.setBlockCacheEnabled(true).setPrefetchBlocksOnOpen(true);
      admin.createTable(
          TableDescriptorBuilder.newBuilder(PREFETCHED).setColumnFamily(family.build()).build());
      write(TABLE, rows);
      write(PREFETCHED, new KnownRows(scale.prefetchedRows()));
      admin.flush(TABLE);
      admin.disableTable(PREFETCHED);
    }
  }

  private void write(TableName name, KnownRows all) throws IOException {
    try (Table table = connection.getTable(name)) {
      for (int from = 0; from < all.count(); from += BATCH) {
        int to = Math.min(all.count(), from + BATCH);
        List<Put> batch = new ArrayList<>();
        for (int row = from; row < to; row++) {
          batch.add(all.next(row));
        }
        table.put(batch);
        for (int row = from; row < to; row++) {
          all.written(row);
        }
      }
    }
  }

  /** What a thread does again and again. */
  private interface Work {
    void once(Random random) throws IOException;
  }

  /** Starts all clients. */
  void start() throws IOException {
    for (int i = 0; i < PUTTERS; i++) {
      int own = i;
      Table table = connection.getTable(TABLE);
      start("put-" + i, PAUSE_MS, random -> put(table, random, own));
    }
    for (int i = 0; i < GETTERS; i++) {
      Table table = connection.getTable(TABLE);
      start("get-" + i, PAUSE_MS, random -> get(table, random));
    }
    Table scanning = connection.getTable(TABLE);
    start("scan", SCAN_PAUSE_MS, random -> scan(scanning, random));
    long flush = TimeUnit.SECONDS.toMillis(scale.flushSeconds());
    start("flush", flush, random -> administer(admin -> admin.flush(TABLE)));
    start("compact", 2 * flush, random -> administer(admin -> admin.majorCompact(TABLE)));
    start("open", flush, random -> administer(HBaseClients::openAgain));
  }

  private void start(String name, long pauseMs, Work work) {
    Thread thread =
        new Thread(
            () -> {
              Random random = new Random(SEED + name.hashCode());
              while (!ending) {
                try {
                  work.once(random);
                  Thread.sleep(pauseMs);
                } catch (IOException e) {
                  if (!ending) {
                    failures.add(name + ": " + e);
                  }
                } catch (InterruptedException e) {
                  return;
                }
              }
            },
            name);
    thread.setDaemon(true);
    thread.start();
    threads.add(thread);
  }

  private void put(Table table, Random random, int own) throws IOException {
    // Each row has one writer.
    int row = random.nextInt(rows.count() / PUTTERS) * PUTTERS + own;
    table.put(rows.next(row));
    rows.written(row);
    puts.incrementAndGet();
  }

  private void get(Table table, Random random) throws IOException {
    int row = random.nextInt(rows.count());
    int atLeast = rows.acknowledged(row);
    Get get = IoPriorities.set(new Get(KnownRows.key(row)), Owner.GET.priority());
    rows.check(row, table.get(get), atLeast);
    gets.incrementAndGet();
  }

  private void scan(Table table, Random random) throws IOException {
    int from = random.nextInt(rows.count() - SCANNED_ROWS);
    scanned.addAndGet(scan(table, from, from + SCANNED_ROWS));
  }

  private int scan(Table table, int from, int to) throws IOException {
    int[] atLeast = rows.acknowledged(from, to);
    Scan scan =
        new Scan()
            .withStartRow(KnownRows.key(from))
            .withStopRow(KnownRows.key(to))
            .setCaching(BATCH)
            .setCacheBlocks(false);
    int row = from;
    try (ResultScanner found = table.getScanner(IoPriorities.set(scan, Owner.SCAN.priority()))) {
      for (Result result : found) {
        rows.check(row, result, atLeast[row - from]);
        row++;
      }
    }
    if (row != to) {
      throw new IOException("the scan has ended before row " + row);
    }
    return to - from;
  }

  /** Something that an administrator does. */
  private interface Order {
    void to(Admin admin) throws IOException;
  }

  /** HBase may refuse an order while a DataNode is being lost; that is no harm to data. */
  private void administer(Order order) {
    try (Admin admin = connection.getAdmin()) {
      order.to(admin);
    } catch (IOException e) {
      refused.add(e.toString());
    }
  }

  private static void openAgain(Admin admin) throws IOException {
    if (admin.isTableDisabled(PREFETCHED)) {
      admin.enableTable(PREFETCHED);
    } else {
      admin.disableTable(PREFETCHED);
    }
  }

  /** Ends the clients' work. What is under way may or may not be done. */
  void end() throws InterruptedIOException {
    ending = true;
    threads.forEach(Thread::interrupt);
    try {
      for (Thread thread : threads) {
        thread.join(END_TIMEOUT_MS);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException("interrupted while clients of HBase were ending");
    }
  }

  /** Reads every row and checks it; what has failed meanwhile is in the result, too. */
  ObjectNode check(ObjectNode into) throws IOException {
    try (Table table = connection.getTable(TABLE)) {
      for (int from = 0; from < rows.count(); from += SCANNED_ROWS) {
        try {
          scan(table, from, Math.min(rows.count(), from + SCANNED_ROWS));
        } catch (IOException e) {
          failures.add("at the end: " + e);
        }
      }
    }
    into.put("rows", rows.count());
    into.put("puts", puts.get()).put("gets", gets.get()).put("scanned_rows", scanned.get());
    refused.stream().limit(MAX_FAILURES).forEach(into.putArray("refused_orders")::add);
    into.put("failures", failures.size());
    failures.stream().limit(MAX_FAILURES).forEach(into.putArray("first_failures")::add);
    return into;
  }

  @Override
  public void close() throws IOException {
    ending = true;
    threads.forEach(Thread::interrupt);
    connection.close();
  }
}
