// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.lab.it;

import java.io.IOException;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HBaseConfiguration;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hadoop.security.UserGroupInformation;

/** A client with a principal of its own: {@code PRINCIPAL KEYTAB write|read|table FILE MIB}. */
public final class KerberosClient {

  /** A table, its row, family, column and value. */
  static final String TABLE = "t";

  private KerberosClient() {}

  /** Logs in, then does what {@link SampleFile} does. */
  public static void main(String[] args) throws IOException {
    UserGroupInformation.setConfiguration(new Configuration());
    UserGroupInformation.loginUserFromKeytab(args[0], args[1]);
    if (args[2].equals("table")) {
      makeTable();
      return;
    }
    SampleFile.main(new String[] {args[2], args[3], args[4]});
  }

  private static void makeTable() throws IOException {
    TableName name = TableName.valueOf(TABLE);
    byte[] text = Bytes.toBytes(TABLE);
    try (Connection connection = ConnectionFactory.createConnection(HBaseConfiguration.create());
        Admin admin = connection.getAdmin();
        Table table = connection.getTable(name)) {
      admin.createTable(
          TableDescriptorBuilder.newBuilder(name)
              .setColumnFamily(ColumnFamilyDescriptorBuilder.of(text))
              .build());
      table.put(new Put(text).addColumn(text, text, text));
      admin.flush(name);
    }
  }
}
