// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.hdfs.datanode.shortcircuit;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.DFSConfigKeys;
import org.apache.hadoop.hdfs.client.HdfsClientConfigKeys;
import org.apache.hadoop.hdfs.server.datanode.DataNode;
import org.apache.hadoop.net.unix.DomainSocket;
import org.hadoopprio.hdfs.datanode.scheduler.ShortCircuitPiece;
import org.hadoopprio.hdfs.wire.TurnSocket;
import org.hadoopprio.linux.PeerUser;
import org.hadoopprio.log.RateLimitedLog;
import org.hadoopprio.metrics.PriorityMetrics;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Lets the short-circuit readers of one DataNode take part in its volumes' queues: opens the socket
 * while reads of at least one volume wait for their turn, or are off, and closes it when none do,
 * which can change at any time. A thread of its own looks every second.
 */
public final class TurnService implements Runnable {

  private static final long LOOK_MILLIS = TimeUnit.SECONDS.toMillis(1);

  private static final Logger LOG = LoggerFactory.getLogger(TurnService.class);
  private static final RateLimitedLog FAILURE_LOG = new RateLimitedLog(LOG);

  private final DataNode dataNode;
  private final String path;
  private final int maxConnections;
  private TurnServer server;

  private TurnService(DataNode dataNode, String path, int maxConnections) {
    this.dataNode = dataNode;
    this.path = path;
    this.maxConnections = maxConnections;
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
    removeStale();
    try {
      while (true) {
        boolean up = dataNode.isDatanodeUp();
        if (wasUp && !up) {
          return;
        }
        wasUp = up;
        look(up);
        Thread.sleep(LOOK_MILLIS);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } finally {
      close();
    }
  }

  /** A DataNode that was killed leaves its socket, and clients would try to connect. */
  private void removeStale() {
    try {
      Files.deleteIfExists(Path.of(path));
    } catch (IOException | RuntimeException e) {
      FAILURE_LOG.warn("The socket " + path + " of an earlier DataNode cannot be removed: " + e);
    }
  }

  private void look(boolean up) {
    try {
      boolean wanted = up && ShortCircuitPiece.isAnyAsked(dataNode);
      if (!wanted) {
        close();
      } else if (server == null) {
        server = new TurnServer(path, maxConnections, TurnService::uid, this::handler);
        PriorityMetrics.setLocalSocket(path);
      } else if (!server.isAtPath()) {
        PriorityMetrics.setLocalSocket("");
        FAILURE_LOG.warn(
            "Short-circuit reads of this DataNode do not wait for their turn: its socket "
                + path
                + " is gone, or another DataNode of this host has one there. Give each a "
                + DFSConfigKeys.DFS_DOMAIN_SOCKET_PATH_KEY
                + " of its own, then restart them");
      }
    } catch (IOException | RuntimeException | Error e) {
      FAILURE_LOG.warn(
          () ->
              "Short-circuit reads do not wait for their turn: the socket "
                  + path
                  + " cannot be opened: "
                  + e);
    }
  }

  private static int uid(DomainSocket client) {
    return PeerUser.uid(SocketNumber.of(client));
  }

  private TurnHandler handler(DomainSocket client) {
    return new DataNodeTurnHandler(dataNode, PeerUser.name(uid(client)));
  }

  private void close() {
    TurnServer closing = server;
    server = null;
    if (closing != null) {
      PriorityMetrics.setLocalSocket("");
      try {
        closing.close();
      } catch (IOException e) {
        FAILURE_LOG.warn("The socket " + path + " cannot be closed: " + e);
      }
    }
  }
}
