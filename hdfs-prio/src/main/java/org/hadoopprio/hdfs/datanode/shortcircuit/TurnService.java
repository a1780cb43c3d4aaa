// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.hdfs.datanode.shortcircuit;

import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.DFSConfigKeys;
import org.apache.hadoop.hdfs.client.HdfsClientConfigKeys;
import org.apache.hadoop.hdfs.server.datanode.DataNode;
import org.apache.hadoop.net.unix.DomainSocket;
import org.hadoopprio.hdfs.datanode.scheduler.ShortCircuitPiece;
import org.hadoopprio.hdfs.wire.TurnSocket;
import org.hadoopprio.linux.PeerUser;

/**
 * Lets the short-circuit readers of one DataNode take part in its volumes' queues: opens the socket
 * while reads of at least one volume wait for their turn, or are off, and closes it when none do,
 * which can change at any time. A thread of its own looks every second.
 */
public final class TurnService implements Runnable {

  private static final long LOOK_MILLIS = TimeUnit.SECONDS.toMillis(1);

  private final DataNode dataNode;
  private final TurnSocketKeeper socket;

  private TurnService(DataNode dataNode, String path, int maxConnections) {
    this.dataNode = dataNode;
    this.socket =
        new TurnSocketKeeper(
            path, () -> new TurnServer(path, maxConnections, TurnService::uid, this::handler));
  }

  /** A DataNode is about to serve. Does nothing if it does not offer short circuit. */
  public static void dataNodeStarting(DataNode dataNode) {
    Configuration conf = dataNode.getConf();
    String path = conf.getTrimmed(DFSConfigKeys.DFS_DOMAIN_SOCKET_PATH_KEY, "");
    boolean offered =
        conf.getBoolean(
            HdfsClientConfigKeys.Read.ShortCircuit.KEY,
            HdfsClientConfigKeys.Read.ShortCircuit.DEFAULT);
    if (!offered || path.isEmpty() || DomainSocket.getLoadingFailureReason() != null) {
      return;
    }
    String own =
        TurnSocket.path(DomainSocket.getEffectivePath(path, dataNode.getXferAddress().getPort()));
    int max =
        conf.getInt(
            DFSConfigKeys.DFS_DATANODE_MAX_RECEIVER_THREADS_KEY,
            DFSConfigKeys.DFS_DATANODE_MAX_RECEIVER_THREADS_DEFAULT);
    Thread thread =
        new Thread(new TurnService(dataNode, own, max), "io-priority short-circuit socket");
    thread.setDaemon(true);
    thread.start();
  }

  @Override
  public void run() {
    boolean wasUp = false;
    socket.removeStale();
    try {
      while (true) {
        boolean up = dataNode.isDatanodeUp();
        if (wasUp && !up) {
          return;
        }
        wasUp = up;
        socket.keep(() -> up && ShortCircuitPiece.isAnyAsked(dataNode));
        Thread.sleep(LOOK_MILLIS);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } finally {
      socket.close();
    }
  }

  private static int uid(DomainSocket client) {
    return PeerUser.uid(SocketNumber.of(client));
  }

  private TurnHandler handler(DomainSocket client) {
    return new DataNodeTurnHandler(dataNode, PeerUser.name(uid(client)));
  }
}
