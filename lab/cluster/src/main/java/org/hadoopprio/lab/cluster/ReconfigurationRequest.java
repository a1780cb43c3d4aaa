// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.lab.cluster;

import java.io.IOException;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.conf.ReconfigurationTaskStatus;
import org.apache.hadoop.conf.ReconfigurationUtil.PropertyChange;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hdfs.DFSUtilClient;
import org.apache.hadoop.hdfs.protocol.ClientDatanodeProtocol;
import org.apache.hadoop.ipc.RPC;
import org.apache.hadoop.net.NetUtils;
import org.apache.hadoop.security.UserGroupInformation;
import org.hadoopprio.lab.progress.Pauses;

/** Asks a daemon to read its configuration files again, as administrators do. */
final class ReconfigurationRequest {

  private static final long TIMEOUT_MS = 20_000;
  private static final long POLL_MS = 20;

  private ReconfigurationRequest() {}

  /**
   * Asks a DataNode, as {@code hdfs dfsadmin -reconfig} does, and waits until it has applied the
   * changes.
   *
   * @throws ClusterException if the DataNode refuses a value, or takes more than 20 s
   */
  static void send(Daemon dataNode, Configuration conf) throws IOException {
    ClientDatanodeProtocol proxy =
        DFSUtilClient.createClientDatanodeProtocolProxy(
            NetUtils.createSocketAddr("127.0.0.1", dataNode.port("ipc")),
            UserGroupInformation.getCurrentUser(),
            conf,
            NetUtils.getDefaultSocketFactory(conf));
    try {
      proxy.startReconfiguration();
      Map<PropertyChange, Optional<String>> changes = await(dataNode, proxy).getStatus();
      if (changes == null) {
        // Hadoop's client says so where there is nothing to change.
        return;
      }
      for (Map.Entry<PropertyChange, Optional<String>> change : changes.entrySet()) {
        if (change.getValue().isPresent()) {
          throw new ClusterException(
              dataNode.name()
                  + " refuses "
                  + change.getKey().prop
                  + " = "
                  + change.getKey().newVal
                  + ": "
                  + change.getValue().get());
        }
      }
    } finally {
      RPC.stopProxy(proxy);
    }
  }

  /**
   * Has a RegionServer read its configuration files again, as {@code update_config} does.
   *
   * @throws IOException also if the RegionServer refuses a value
   */
  static void sendToRegionServer(Daemon regionServer, Configuration conf) throws IOException {
    try (Connection connection = ConnectionFactory.createConnection(conf);
        Admin admin = connection.getAdmin()) {
      for (ServerName server : admin.getRegionServers()) {
        if (server.getPort() == regionServer.port("rpc")) {
          admin.updateConfiguration(server);
          return;
        }
      }
    }
    throw new ClusterException(regionServer.name() + " is not known to the Master");
  }

  private static ReconfigurationTaskStatus await(Daemon dataNode, ClientDatanodeProtocol proxy)
      throws IOException {
    long until = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(TIMEOUT_MS);
    ReconfigurationTaskStatus status = proxy.getReconfigurationStatus();
    while (!status.stopped()) {
      if (System.nanoTime() > until) {
        throw new ClusterException(
            dataNode.name() + " is still applying its configuration after " + TIMEOUT_MS + " ms");
      }
      Pauses.sleep(POLL_MS);
      status = proxy.getReconfigurationStatus();
    }
    return status;
  }
}
