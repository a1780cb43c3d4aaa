// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.hbase.regionserver;

import java.io.IOException;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HBaseTestingUtility;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.coprocessor.CoprocessorHost;
import org.apache.hadoop.hbase.ipc.RpcScheduler;
import org.apache.hadoop.hbase.security.User;
import org.apache.hadoop.hbase.util.Bytes;
import org.hadoopprio.hbase.config.HBaseKeys;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ExtensionContext.Namespace;

/**
 * A real HBase in this process on the local file system. The test classes that use this extension
 * share it; it stops after the last. It has one RegionServer with two general handlers, one
 * real-time handler and a real-time queue of length one. The highest priority granted is rt:2;
 * compactions have be:6.
 */
public final class MiniCluster implements BeforeAllCallback {

  static final byte[] FAMILY = Bytes.toBytes("f");
  static final byte[] QUALIFIER = Bytes.toBytes("q");

  private static HBaseTestingUtility util;
  private static Connection connection;

  @Override
  public void beforeAll(ExtensionContext context) {
    context
        .getRoot()
        .getStore(Namespace.GLOBAL)
        .getOrComputeIfAbsent(Running.class, key -> new Running(), Running.class);
  }

  /** Stops the cluster when JUnit closes the store. */
  private static final class Running implements AutoCloseable {
    Running() {
      try {
        start();
      } catch (Exception e) {
        throw new IllegalStateException(e);
      }
    }

    @Override
    public void close() throws Exception {
      connection.close();
      util.shutdownMiniHBaseCluster();
      util.shutdownMiniZKCluster();
      util.cleanupTestDir();
    }
  }

  private static void start() throws Exception {
    util = new HBaseTestingUtility();
    Configuration conf = util.getConfiguration();
    conf.setClass("fs.file.impl", RecordingFileSystem.class, org.apache.hadoop.fs.FileSystem.class);
    conf.setBoolean("hbase.unsafe.stream.capability.enforce", false);
    conf.set(CoprocessorHost.REGION_COPROCESSOR_CONF_KEY, IoPriorityObserver.class.getName());
    conf.set(
        "hbase.region.server.rpc.scheduler.factory.class",
        IoPriorityRpcSchedulerFactory.class.getName());
    conf.setInt(HConstants.REGION_SERVER_HANDLER_COUNT, 2);
    conf.set(HBaseKeys.HIGHEST.name(), "rt:2");
    conf.setInt(HBaseKeys.REALTIME_HANDLERS.name(), 1);
    conf.setInt(HBaseKeys.REALTIME_QUEUE_LENGTH.name(), 1);
    conf.setInt(HConstants.HBASE_CLIENT_RETRIES_NUMBER, 3);
    conf.setInt(HConstants.MASTER_INFO_PORT, -1);
    conf.setInt(HConstants.REGIONSERVER_INFO_PORT, -1);
    util.startMiniZKCluster();
    util.startMiniHBaseCluster();
    connection = util.getConnection();
  }

  static Connection connection() {
    return connection;
  }

  static Connection connection(Map<String, byte[]> attributes) throws IOException {
    return ConnectionFactory.createConnection(
        util.getConfiguration(), null, User.getCurrent(), attributes);
  }

  static RpcScheduler scheduler() {
    return util.getHBaseCluster().getRegionServer(0).getRpcServer().getScheduler();
  }

  static HBaseTestingUtility util() {
    return util;
  }

  /**
   * Creates a table whose data blocks are never cached and hold about one row each.
   *
   * @param priority the table's own, as text, or null
   */
  static TableName table(String name, String priority) throws IOException {
    return table(name, priority, 1024);
  }

  /** Creates a table whose data blocks are never cached and have about the given size in bytes. */
  static TableName table(String name, String priority, int blockBytes) throws IOException {
    TableName table = TableName.valueOf(name);
    TableDescriptorBuilder builder =
        TableDescriptorBuilder.newBuilder(table)
            .setColumnFamily(
                ColumnFamilyDescriptorBuilder.newBuilder(FAMILY)
                    .setBlockCacheEnabled(false)
                    .setBlocksize(blockBytes)
                    .build());
    if (priority != null) {
      builder.setValue("IO_PRIORITY", priority);
    }
    util.getAdmin().createTable(builder.build());
    return table;
  }

  /** Writes rows r000000, r000001, ... and flushes them to one store file. */
  static void load(TableName name, int rows, byte[] value) throws IOException {
    try (Table table = connection.getTable(name)) {
      java.util.List<Put> puts = new java.util.ArrayList<>();
      for (int i = 0; i < rows; i++) {
        puts.add(new Put(row(i)).addColumn(FAMILY, QUALIFIER, value));
        if (puts.size() == 256) {
          table.put(puts);
          puts.clear();
        }
      }
      table.put(puts);
    }
    util.getAdmin().flush(name);
  }

  static byte[] row(int i) {
    return Bytes.toBytes(String.format("r%06d", i));
  }
}
