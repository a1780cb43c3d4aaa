// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.examples;

import java.io.IOException;
import org.apache.hadoop.hbase.HBaseConfiguration;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.hadoopprio.IoPriority;
import org.hadoopprio.hbase.client.IoPriorities;

/** Sets the priority of all operations on a table that state none. Arguments: table, priority. */
public final class SetTableDefault {

  private SetTableDefault() {}

  /** See the class. */
  public static void main(String[] arguments) throws IOException {
    TableName name = TableName.valueOf(arguments[0]);
    IoPriority priority = IoPriority.parse(arguments[1]);
    try (Connection connection = ConnectionFactory.createConnection(HBaseConfiguration.create());
        Admin admin = connection.getAdmin()) {
      TableDescriptor present = admin.getDescriptor(name);
      admin.modifyTable(
          IoPriorities.set(TableDescriptorBuilder.newBuilder(present), priority).build());
      System.out.println(name + ": " + IoPriorities.get(admin.getDescriptor(name)));
    }
  }
}
