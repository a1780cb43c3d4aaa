// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.lab.workload;

import java.io.IOException;
import java.util.Random;
import java.util.function.LongConsumer;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.BufferedMutator;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.Durability;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.util.Bytes;

/**
 * Rows that have numbers, for the tables of {@link YcsbTables}: neighbouring numbers are in
 * different regions and blocks.
 */
public final class NumberedRows {

  /** YCSB's keys begin with "user" and a number of this range, see {@link YcsbTables}. */
  private static final int FIRST_PREFIX = 1000;

  private static final int PREFIXES = 8223;

  /** Knuth's multiplicative hash: spreads numbers evenly over a range. */
  private static final long SPREAD = 2_654_435_761L;

  private static final byte[] FAMILY = Bytes.toBytes(YcsbTable.FAMILY);
  private static final byte[] QUALIFIER = Bytes.toBytes("q");

  private NumberedRows() {}

  /** The key of a row. */
  public static byte[] key(long row) {
    long prefix = FIRST_PREFIX + (row * SPREAD & 0xFFFF_FFFFL) * PREFIXES / (1L << 32);
    return Bytes.toBytes("user" + prefix + "-" + row);
  }

  /**
   * Writes the rows 0 to {@code rows} - 1, without a log.
   *
   * @param bytes of each row's value
   * @param progress is repeatedly told how many rows are written
   */
  public static void write(
      Connection connection, String table, long rows, int bytes, LongConsumer progress)
      throws IOException {
    byte[] value = new byte[bytes];
    new Random(1).nextBytes(value);
    try (BufferedMutator mutator = connection.getBufferedMutator(TableName.valueOf(table))) {
      for (long row = 0; row < rows; row++) {
        Put put = new Put(key(row)).addColumn(FAMILY, QUALIFIER, value);
        mutator.mutate(put.setDurability(Durability.SKIP_WAL));
        progress.accept(row + 1);
      }
    }
  }
}
