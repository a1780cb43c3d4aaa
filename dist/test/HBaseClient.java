// SPDX-License-Identifier: Apache-2.0
import org.apache.hadoop.hbase.HBaseConfiguration;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.util.Bytes;

/** What {@code dist/test/ansible} needs of HBase's shell, which the build does not have. */
class HBaseClient {

  public static void main(String[] arguments) throws Exception {
    try (Connection connection = ConnectionFactory.createConnection(HBaseConfiguration.create());
        Admin admin = connection.getAdmin()) {
      switch (arguments[0]) {
        case "create":
          // It may have been made by a call that was not answered.
          if (admin.tableExists(TableName.valueOf("t"))) {
            break;
          }
          if (admin.getRegionServers().size() < 2) {
            throw new IllegalStateException("not all RegionServers are there");
          }
          byte[][] splits = new byte[5][];
          for (int i = 0; i < splits.length; i++) {
            splits[i] = Bytes.toBytes(Integer.toString(i + 1));
          }
          admin.createTable(
              TableDescriptorBuilder.newBuilder(TableName.valueOf("t"))
                  .setColumnFamily(ColumnFamilyDescriptorBuilder.of("f"))
                  .build(),
              splits);
          break;
        case "balance_switch":
          boolean on = Boolean.parseBoolean(arguments[1]);
          System.out.println("Previous balancer state : " + admin.balancerSwitch(on, true));
          break;
        case "balancer_enabled":
          System.out.println(admin.isBalancerEnabled());
          break;
        case "regions":
          for (ServerName server : admin.getRegionServers()) {
            for (RegionInfo region : admin.getRegions(server)) {
              System.out.println(server.getPort() + " " + region.getEncodedName());
            }
          }
          break;
        default:
          throw new IllegalArgumentException(arguments[0]);
      }
    }
  }
}
