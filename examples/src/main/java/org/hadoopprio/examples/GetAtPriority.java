// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.examples;

import java.io.IOException;
import org.apache.hadoop.hbase.HBaseConfiguration;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.util.Bytes;
import org.hadoopprio.IoPriority;
import org.hadoopprio.hbase.client.IoPriorities;

/** Reads one row at a priority. Arguments: table, row, priority. */
public final class GetAtPriority {

  private GetAtPriority() {}

  /** See the class. */
  public static void main(String[] arguments) throws IOException {
    TableName name = TableName.valueOf(arguments[0]);
    Get get = new Get(Bytes.toBytes(arguments[1]));
    IoPriorities.set(get, IoPriority.parse(arguments[2]));
    try (Connection connection = ConnectionFactory.createConnection(HBaseConfiguration.create());
        Table table = connection.getTable(name)) {
      System.out.println(table.get(get).size() + " cells");
    }
  }
}
