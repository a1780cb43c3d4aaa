// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.lab.it;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.apache.hadoop.hbase.HBaseConfiguration;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.util.Bytes;
import org.hadoopprio.IoPriority;
import org.hadoopprio.hbase.client.IoPriorities;

/**
 * A table as a program: {@code write} makes and flushes it, {@code read} gets its rows at rt:3. Its
 * class path is that of any version of HBase, and hbase-prio-api.
 */
public final class SampleRows {

  private static final int ROWS = 1_000;
  private static final int VALUE_BYTES = 10_000;

  /** What the rows hold. */
  static final long BYTES = (long) ROWS * VALUE_BYTES;

  private static final int ROWS_PER_PUT = 100;
  private static final TableName NAME = TableName.valueOf("sample");
  private static final byte[] FAMILY = Bytes.toBytes("f");
  private static final byte[] QUALIFIER = Bytes.toBytes("q");

  private SampleRows() {}

  /** Exits with an exception, and so with 1, where a row is missing. */
  public static void main(String[] args) throws IOException {
    try (Connection connection = ConnectionFactory.createConnection(HBaseConfiguration.create());
        Admin admin = connection.getAdmin();
        Table table = connection.getTable(NAME)) {
      if (args[0].equals("write")) {
        admin.createTable(
            TableDescriptorBuilder.newBuilder(NAME)
                .setColumnFamily(ColumnFamilyDescriptorBuilder.of(FAMILY))
                .build());
        write(table);
        admin.flush(NAME);
      } else {
        admin.clearBlockCache(NAME);
        read(table);
      }
    }
  }

  private static void write(Table table) throws IOException {
    Random random = new Random(1);
    List<Put> puts = new ArrayList<>();
    for (int i = 0; i < ROWS; i++) {
      byte[] value = new byte[VALUE_BYTES];
      random.nextBytes(value);
      puts.add(new Put(row(i)).addColumn(FAMILY, QUALIFIER, value));
      if (puts.size() == ROWS_PER_PUT || i == ROWS - 1) {
        table.put(puts);
        puts.clear();
      }
    }
  }

  private static void read(Table table) throws IOException {
    for (int i = 0; i < ROWS; i++) {
      Get get = IoPriorities.set(new Get(row(i)), IoPriority.realtime(3));
      if (table.get(get).getValue(FAMILY, QUALIFIER).length != VALUE_BYTES) {
        throw new IllegalStateException("row " + i + " is not as it was written");
      }
    }
  }

  private static byte[] row(int i) {
    return Bytes.toBytes(String.format("row%06d", i));
  }
}
