// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.lab.it;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.util.Bytes;
import org.hadoopprio.lab.cluster.LocalCluster;
import org.hadoopprio.lab.cluster.Role;
import org.hadoopprio.lab.progress.Pauses;
import org.hadoopprio.lab.trace.BlockTraceSummary;

/** Tables of numbered rows with random values, and what the block layer sees of their reads. */
final class RandomRows {

  static final byte[] FAMILY = Bytes.toBytes("f");
  static final byte[] QUALIFIER = Bytes.toBytes("q");
  static final int VALUE_BYTES = 10_000;

  /** Of a block of a store file. */
  static final int BLOCK_BYTES = 57_344;

  private static final int MAX_TRIES = 3;
  private static final long DELETION_NANOS = 5_000_000_000L;

  /** How many deletions a DataNode has not done, and will not. */
  private static long forgotten;

  private RandomRows() {}

  /** Makes a table whose rows are in one store file. */
  static void load(Connection connection, TableName name, int rows) throws IOException {
    try (Admin admin = connection.getAdmin();
        Table loaded = connection.getTable(name)) {
      admin.createTable(
          TableDescriptorBuilder.newBuilder(name)
              .setColumnFamily(
                  ColumnFamilyDescriptorBuilder.newBuilder(FAMILY)
                      .setBlocksize(BLOCK_BYTES)
                      .build())
              .build());
      Random random = new Random(rows);
      List<Put> puts = new ArrayList<>();
      for (int i = 0; i < rows; i++) {
        byte[] value = new byte[VALUE_BYTES];
        random.nextBytes(value);
        puts.add(new Put(key(i)).addColumn(FAMILY, QUALIFIER, value));
        if (puts.size() == 200 || i == rows - 1) {
          loaded.put(puts);
          puts.clear();
        }
      }
      admin.flush(name);
    }
  }

  static byte[] key(int row) {
    return Bytes.toBytes(String.format("row%06d", row));
  }

  /** Traces work against cold caches, HBase's too. */
  static BlockTraceSummary traced(
      LocalCluster cluster, Connection connection, TableName table, Clusters.Reads reads)
      throws Exception {
    try (Admin admin = connection.getAdmin()) {
      admin.clearBlockCache(table);
    }
    return Clusters.traced(cluster, reads);
  }

  /**
   * As {@link #traced}, for what may be done again: a DataNode that deletes blocks meanwhile, which
   * HBase no longer needs, reads directories and bitmaps for nobody's priority.
   */
  static BlockTraceSummary tracedReads(
      LocalCluster cluster, Connection connection, TableName table, Clusters.Reads reads)
      throws Exception {
    for (int tries = 1; ; tries++) {
      long asked = awaitDeletions(cluster);
      BlockTraceSummary seen = traced(cluster, connection, table, reads);
      if (deletionsAsked(cluster) == asked || tries == MAX_TRIES) {
        return seen;
      }
    }
  }

  /**
   * Waits until the DataNode has removed what it was to delete. Its log tells: the counter of its
   * metrics rises before a file is removed, and is kept for as long as metrics are.
   *
   * @return how many deletions it was asked for
   */
  private static long awaitDeletions(LocalCluster cluster) throws IOException {
    long from = System.nanoTime();
    while (true) {
      long removed = logged(cluster, "Deleted BP-");
      long asked = deletionsAsked(cluster);
      if (removed + forgotten >= asked) {
        return asked;
      }
      if (System.nanoTime() - from > DELETION_NANOS) {
        // A DataNode that was restarted forgets what it was asked for.
        forgotten = asked - removed;
        System.out.println(forgotten + " deletions of blocks are not waited for any more");
        return asked;
      }
      Pauses.sleep(20, "interrupted while blocks are deleted");
    }
  }

  private static long deletionsAsked(LocalCluster cluster) throws IOException {
    return logged(cluster, "Scheduling blk_");
  }

  private static long logged(LocalCluster cluster, String text) throws IOException {
    return Clusters.logged(cluster.daemon(Role.DATANODE), text).size();
  }
}
