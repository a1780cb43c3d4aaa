// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.examples;

import java.io.IOException;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HBaseConfiguration;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.security.User;
import org.hadoopprio.IoPriority;
import org.hadoopprio.hbase.client.IoPriorities;

/** Scans a table over a connection whose requests all have the priority idle. Argument: table. */
public final class ScanInBackground {

  private ScanInBackground() {}

  /** See the class. */
  public static void main(String[] arguments) throws IOException {
    Configuration conf = HBaseConfiguration.create();
    long rows = 0;
    try (Connection connection =
            ConnectionFactory.createConnection(
                conf, null, User.getCurrent(), IoPriorities.connectionAttributes(IoPriority.IDLE));
        Table table = connection.getTable(TableName.valueOf(arguments[0]));
        ResultScanner scanner = table.getScanner(new Scan())) {
      for (Result row : scanner) {
        rows += row.isEmpty() ? 0 : 1;
      }
    }
    System.out.println(rows + " rows");
  }
}
