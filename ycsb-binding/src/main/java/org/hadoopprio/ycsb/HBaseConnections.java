// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.ycsb;

import java.io.IOException;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HBaseConfiguration;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hadoop.security.UserGroupInformation;

/** Opens the HBase connection of a YCSB process. */
final class HBaseConnections {

  /** A row that no YCSB workload writes; reading it shows that the family can be read. */
  private static final byte[] PROBE_ROW = {0};

  private HBaseConnections() {}

  /**
   * Logs in if a keytab is given, connects, and reads a row of the table.
   *
   * <p>YCSB counts failed operations and continues, so a missing table or family must be detected
   * here.
   */
  static Connection open(BindingSettings settings) throws IOException {
    Configuration conf = HBaseConfiguration.create();
    settings.applyTo(conf);
    logIn(settings, conf);
    Connection connection = ConnectionFactory.createConnection(conf);
    try (Table table = connection.getTable(TableName.valueOf(settings.table()))) {
      table.exists(new Get(PROBE_ROW).addFamily(Bytes.toBytes(settings.columnFamily())));
      return connection;
    } catch (IOException | RuntimeException e) {
      try {
        connection.close();
      } catch (IOException whileClosing) {
        e.addSuppressed(whileClosing);
      }
      throw e;
    }
  }

  private static void logIn(BindingSettings settings, Configuration conf) throws IOException {
    if ("kerberos".equalsIgnoreCase(conf.get("hbase.security.authentication"))) {
      conf.set("hadoop.security.authentication", "kerberos");
      UserGroupInformation.setConfiguration(conf);
    }
    if (settings.hasKeytab()) {
      UserGroupInformation.loginUserFromKeytab(settings.principal(), settings.keytab());
    }
  }
}
