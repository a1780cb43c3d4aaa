// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.hdfs.datanode.shortcircuit;

import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import java.util.function.ToIntFunction;
import org.apache.hadoop.net.unix.DomainSocket;
import org.hadoopprio.hdfs.wire.MalformedMessageException;
import org.hadoopprio.hdfs.wire.TurnAnswer;
import org.hadoopprio.hdfs.wire.TurnRequest;
import org.hadoopprio.log.RateLimitedLog;
import org.hadoopprio.metrics.PriorityMetrics;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Listens at a socket of the file system for clients that read block files themselves, with a
 * thread for each connection. When a client ends, however it does, the kernel closes its
 * connections, and the thread gives its turn back. Thread-safe.
 */
final class TurnServer implements Closeable {

  /**
   * How long a client may be silent in a turn. What it may read takes some milliseconds, but the
   * client may be stopped, collect garbage, or mean no good. If it reads after all, it does so
   * beside the next turn.
   */
  static final int TURN_MILLIS = 300;

  /**
   * How long an answer of a few bytes may wait for its client, who may have a turn meanwhile. There
   * is room for hundreds of them, and a client that means well leaves two unread at most.
   */
  private static final int SEND_MILLIS = 10;

  /**
   * How long a connection without a turn is kept. A client makes another one when it reads again.
   */
  private static final int IDLE_MILLIS = 60_000;

  private static final Logger LOG = LoggerFactory.getLogger(TurnServer.class);
  private static final RateLimitedLog MALFORMED_LOG = new RateLimitedLog(LOG);
  private static final RateLimitedLog LIMIT_LOG = new RateLimitedLog(LOG);
  private static final RateLimitedLog FAILURE_LOG = new RateLimitedLog(LOG);

  private final String path;
  private final int idleMillis;
  private final int turnMillis;
  private final TurnUsers users;
  private final ToIntFunction<DomainSocket> uids;
  private final Function<DomainSocket, TurnHandler> handlers;
  private final DomainSocket listening;

  /** Which file the socket is: another DataNode with the same path puts its own in its place. */
  private final Object file;

  private final Map<DomainSocket, TurnUsers.TurnUser> connections = new ConcurrentHashMap<>();
  private volatile boolean closed;

  /**
   * Opens the socket and begins to accept connections.
   *
   * @param path of the socket; HDFS's rules for the directories above it apply
   * @param maxConnections more are closed at once
   * @param uids the number of the user at the other end of a connection; must not wait
   * @param handlers called once for each connection, on its thread
   * @throws IOException if the socket cannot be opened, or others could replace it
   */
  TurnServer(
      String path,
      int maxConnections,
      ToIntFunction<DomainSocket> uids,
      Function<DomainSocket, TurnHandler> handlers)
      throws IOException {
    this(path, maxConnections, IDLE_MILLIS, TURN_MILLIS, uids, handlers);
  }

  /**
   * The same with other times.
   *
   * @param idleMillis how long a connection without a turn is kept
   * @param turnMillis how long a client may be silent in a turn
   */
  TurnServer(
      String path,
      int maxConnections,
      int idleMillis,
      int turnMillis,
      ToIntFunction<DomainSocket> uids,
      Function<DomainSocket, TurnHandler> handlers)
      throws IOException {
    this.path = path;
    this.idleMillis = idleMillis;
    this.turnMillis = turnMillis;
    this.users = new TurnUsers(maxConnections);
    this.uids = uids;
    this.handlers = handlers;
    this.listening = DomainSocket.bindAndListen(path);
    try {
      this.file = fileAt(path);
      start("accept", this::accept);
    } catch (IOException | RuntimeException | Error e) {
      // Nobody would answer those who connect.
      listening.close();
      throw e;
    }
    LOG.info("Short-circuit readers ask at {} for their turn", path);
  }

  /** Device and number of a file. A number is not used again while its socket is open. */
  private static Object fileAt(String path) throws IOException {
    return Files.readAttributes(Path.of(path), BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS)
        .fileKey();
  }

  /** Whether clients that connect at the path come here. */
  boolean isAtPath() {
    try {
      return file.equals(fileAt(path));
    } catch (IOException e) {
      return false;
    }
  }

  private void start(String what, Runnable run) {
    Thread thread = new Thread(run, "io-priority short-circuit " + what);
    thread.setDaemon(true);
    thread.start();
  }

  private void accept() {
    while (!closed) {
      DomainSocket client;
      try {
        client = listening.accept();
      } catch (IOException | RuntimeException | Error e) {
        if (closed) {
          return;
        }
        FAILURE_LOG.warn(() -> "Cannot accept a connection at " + path + ": " + e);
        pause();
        continue;
      }
      try {
        take(client);
      } catch (RuntimeException | Error e) {
        // No memory for another thread, for instance. The next client may have more luck.
        PriorityMetrics.FAILED.increment();
        FAILURE_LOG.warn(() -> "Cannot serve a connection at " + path + ": " + e);
        end(client);
      }
    }
  }

  private void take(DomainSocket client) {
    int uid = uids.applyAsInt(client);
    TurnUsers.TurnUser user = users.connected(uid);
    if (user == null) {
      PriorityMetrics.LOCAL_REFUSED.increment();
      LIMIT_LOG.warn(
          "A short-circuit reader of the user with number "
              + uid
              + " is not served, because there are "
              + connections()
              + " connections already, and no more of them are left than its user has; it reads"
              + " without waiting");
      end(client);
      return;
    }
    connections.put(client, user);
    if (closed) {
      end(client);
      return;
    }
    start("read", () -> serve(client));
  }

  private static void pause() {
    try {
      Thread.sleep(100);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void serve(DomainSocket client) {
    TurnHandler handler = null;
    try {
      client.setAttribute(DomainSocket.SEND_TIMEOUT, SEND_MILLIS);
      handler = handlers.apply(client);
      serve(client, handler);
    } catch (MalformedMessageException e) {
      PriorityMetrics.LOCAL_REFUSED.increment();
      MALFORMED_LOG.warn(
          "A short-circuit reader has sent what is no request, and its connection is closed: "
              + e.getMessage());
    } catch (IOException e) {
      LOG.debug("A short-circuit reader is gone: {}", e.toString());
    } catch (RuntimeException | LinkageError e) {
      // The client finds its connection closed, and reads without waiting.
      PriorityMetrics.FAILED.increment();
      FAILURE_LOG.warn("A short-circuit reader cannot be served: " + e);
    } finally {
      try {
        if (handler != null) {
          handler.leave();
        }
      } finally {
        end(client);
      }
    }
  }

  private void serve(DomainSocket client, TurnHandler handler) throws IOException {
    InputStream in = client.getInputStream();
    OutputStream out = client.getOutputStream();
    client.setAttribute(DomainSocket.RECEIVE_TIMEOUT, idleMillis);
    boolean limited = false;
    while (true) {
      TurnRequest request;
      try {
        // The turn ends with the first byte: the rest of a message may be long in coming.
        request = TurnRequest.read(in, handler::leave);
      } catch (InterruptedIOException e) {
        if (!limited) {
          return;
        }
        PriorityMetrics.LOCAL_LOST.increment();
        handler.leave();
        client.setAttribute(DomainSocket.RECEIVE_TIMEOUT, idleMillis);
        limited = false;
        continue;
      }
      if (request == null) {
        return;
      }
      if (request.isLeft()) {
        if (limited) {
          client.setAttribute(DomainSocket.RECEIVE_TIMEOUT, idleMillis);
          limited = false;
        }
        continue;
      }
      TurnAnswer answer = handler.enter(request, out);
      if (!limited && !answer.isFree() && !answer.isOff()) {
        client.setAttribute(DomainSocket.RECEIVE_TIMEOUT, turnMillis);
        limited = true;
      }
      answer.writeTo(out);
    }
  }

  private void end(DomainSocket client) {
    TurnUsers.TurnUser user = connections.remove(client);
    if (user != null) {
      users.disconnected(user);
    }
    try {
      client.close();
    } catch (IOException e) {
      LOG.debug("Cannot close a connection: {}", e.toString());
    }
  }

  /** The number of connections. */
  int connections() {
    return connections.size();
  }

  /** Closes the socket and all connections. */
  @Override
  public void close() throws IOException {
    closed = true;
    try {
      // First, so that a client which finds its connection closed finds no socket either.
      if (isAtPath()) {
        Files.deleteIfExists(Path.of(path));
      }
    } finally {
      closeConnections();
    }
    LOG.info("Short-circuit readers do not ask at {} any more", path);
  }

  private void closeConnections() throws IOException {
    try {
      listening.close();
    } finally {
      for (DomainSocket client : connections.keySet()) {
        try {
          // Wakes the connection's thread, which ends it.
          client.shutdown();
        } catch (IOException e) {
          LOG.debug("A connection was closed before: {}", e.toString());
        }
      }
    }
  }
}
