// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.hdfs.datanode.shortcircuit;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.function.BooleanSupplier;
import org.apache.hadoop.hdfs.DFSConfigKeys;
import org.apache.hadoop.net.unix.DomainSocket;
import org.hadoopprio.log.RateLimitedLog;
import org.hadoopprio.metrics.PriorityMetrics;
import org.slf4j.LoggerFactory;

/**
 * Keeps a {@link TurnServer} at its path while it is wanted. What is at the path and answers
 * nobody, as after a kill, is replaced; a socket at which another DataNode answers is left alone.
 * Used by one thread.
 */
final class TurnSocketKeeper {

  private static final RateLimitedLog FAILURE_LOG =
      new RateLimitedLog(LoggerFactory.getLogger(TurnSocketKeeper.class));

  private final String path;
  private final Opener opener;

  /** Null while there is none. */
  private TurnServer server;

  /** Opens the server at the path, where nothing is. */
  @FunctionalInterface
  interface Opener {
    TurnServer open() throws IOException;
  }

  TurnSocketKeeper(String path, Opener opener) {
    this.path = path;
    this.opener = opener;
  }

  /** A DataNode that was killed leaves its socket, and clients would try to connect. */
  void removeStale() {
    try {
      if (!isAnswered()) {
        Files.deleteIfExists(Path.of(path));
      }
    } catch (IOException | RuntimeException e) {
      FAILURE_LOG.warn("The socket " + path + " of an earlier DataNode cannot be removed: " + e);
    }
  }

  /** Whether somebody takes connections at the path. */
  private boolean isAnswered() {
    try {
      DomainSocket.connect(path).close();
      return true;
    } catch (IOException e) {
      return false;
    }
  }

  /**
   * To be called again and again: opens the socket, or closes it, if that is to be done.
   *
   * @param wanted if it fails, all stays as it is
   */
  void keep(BooleanSupplier wanted) {
    try {
      if (!wanted.getAsBoolean()) {
        close();
      } else if (server == null || !server.isAtPath()) {
        open();
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

  private void open() throws IOException {
    PriorityMetrics.setLocalSocket("");
    if (isAnswered()) {
      FAILURE_LOG.warn(
          "Short-circuit reads of this DataNode do not wait for their turn: another DataNode of"
              + " this host has its socket at "
              + path
              + ". Give each a "
              + DFSConfigKeys.DFS_DOMAIN_SOCKET_PATH_KEY
              + " of its own, then restart them");
      return;
    }
    // Its clients find the new one when they ask again.
    close();
    Files.deleteIfExists(Path.of(path));
    server = opener.open();
    PriorityMetrics.setLocalSocket(path);
  }

  /** Closes the socket, if it is open. */
  void close() {
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
