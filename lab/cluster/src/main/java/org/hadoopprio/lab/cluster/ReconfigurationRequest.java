package org.hadoopprio.lab.cluster;

import java.io.IOException;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.conf.ReconfigurationTaskStatus;
import org.apache.hadoop.conf.ReconfigurationUtil.PropertyChange;
import org.apache.hadoop.hdfs.DFSUtilClient;
import org.apache.hadoop.hdfs.protocol.ClientDatanodeProtocol;
import org.apache.hadoop.ipc.RPC;
import org.apache.hadoop.net.NetUtils;
import org.apache.hadoop.security.UserGroupInformation;

/**
 * Asks a DataNode to read its configuration files again, as {@code hdfs dfsadmin -reconfig} does.
 */
final class ReconfigurationRequest {

  private static final long TIMEOUT_MS = 20_000;
  private static final long POLL_MS = 20;

  private ReconfigurationRequest() {}

  /**
   * Sends the request and waits until the DataNode has applied the changes.
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
      ReconfigurationTaskStatus status = await(dataNode, proxy);
      for (Map.Entry<PropertyChange, Optional<String>> change : status.getStatus().entrySet()) {
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

  private static ReconfigurationTaskStatus await(Daemon dataNode, ClientDatanodeProtocol proxy)
      throws IOException {
    long until = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(TIMEOUT_MS);
    ReconfigurationTaskStatus status = proxy.getReconfigurationStatus();
    while (!status.stopped()) {
      if (System.nanoTime() > until) {
        throw new ClusterException(
            dataNode.name() + " is still applying its configuration after " + TIMEOUT_MS + " ms");
      }
      Waiting.pause(POLL_MS);
      status = proxy.getReconfigurationStatus();
    }
    return status;
  }
}
