// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.lab.trace;

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

/** A table to trace operations on, for a cluster that has none. */
public final class SampleTable {

  /** Its name. */
  public static final TableName NAME = TableName.valueOf("hprio_trace");

  private static final byte[] FAMILY = Bytes.toBytes("f");
  private static final int ROWS = 2_000;
  private static final int VALUE_BYTES = 5_000;

  /** What makes a cold Get one read of the disk, see docs/hbase.md. */
  private static final int BLOCK_BYTES = 57_344;

  private SampleTable() {}

  /** Makes and fills the table where it is not there. */
  public static void ensure(Connection connection) throws IOException {
    try (Admin admin = connection.getAdmin();
        Table table = connection.getTable(NAME)) {
      if (admin.tableExists(NAME)) {
        return;
      }
      admin.createTable(
          TableDescriptorBuilder.newBuilder(NAME)
              .setColumnFamily(
                  ColumnFamilyDescriptorBuilder.newBuilder(FAMILY)
                      .setBlocksize(BLOCK_BYTES)
                      .build())
              .build());
      Random random = new Random(ROWS);
      List<Put> puts = new ArrayList<>();
      for (int i = 0; i < ROWS; i++) {
        byte[] value = new byte[VALUE_BYTES];
        random.nextBytes(value);
        puts.add(new Put(row(i)).addColumn(FAMILY, FAMILY, value));
      }
      table.put(puts);
      admin.flush(NAME);
    }
  }

  /** A row that is in it. */
  public static byte[] someRow() {
    return row(new Random().nextInt(ROWS));
  }

  private static byte[] row(int i) {
    return Bytes.toBytes(String.format("row%06d", i));
  }
}
