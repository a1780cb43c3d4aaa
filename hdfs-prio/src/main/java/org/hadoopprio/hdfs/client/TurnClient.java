// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.hdfs.client;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import org.hadoopprio.hdfs.wire.TurnAnswer;
import org.hadoopprio.hdfs.wire.TurnRequest;
import org.hadoopprio.log.RateLimitedLog;
import org.hadoopprio.metrics.PriorityMetrics;
import org.slf4j.LoggerFactory;

/**
 * This process's connections to the socket of one DataNode, one for each thread that reads at the
 * same time. A DataNode that cannot be asked is not asked again for some seconds; one that says
 * nothing is not asked about the same volume. Thread-safe.
 */
final class TurnClient {

  /** How long a DataNode is not asked after it could not be. */
  static final long RETRY_NANOS = TimeUnit.SECONDS.toNanos(5);

  /** How long a DataNode that knows no tenants is told none; it may have been upgraded then. */
  private static final long NO_TENANTS_NANOS = TimeUnit.MINUTES.toNanos(1);

  /** Connections that nobody uses now; the DataNode has a thread for each. */
  private static final int MAX_IDLE = 64;

  private static final RateLimitedLog LOG =
      new RateLimitedLog(LoggerFactory.getLogger(TurnClient.class));

  /** By path; a process knows the sockets of its host's DataNodes only. */
  private static final Map<String, TurnClient> ALL = new ConcurrentHashMap<>();

  private final String path;
  private final RestingVolumes resting;
  private final Deque<TurnConnection> idle = new ArrayDeque<>();
  private volatile boolean rests;
  private volatile long restsUntil;

  /** Whether it knows no tenants: one of before 0.2.0 closes the connection when one is named. */
  private volatile boolean knowsNoTenants;

  private volatile long knowsNoneUntil;

  /**
   * A client of a socket that need not exist.
   *
   * @param resting the volumes about which it is not to be asked
   */
  TurnClient(String path, RestingVolumes resting) {
    this.path = path;
    this.resting = resting;
  }

  /** The process's client of a socket that need not exist. */
  static TurnClient of(String path) {
    return ALL.computeIfAbsent(
        path, made -> new TurnClient(made, new RestingVolumes(System::nanoTime)));
  }

  /** The volumes about which the DataNode should not be asked. */
  RestingVolumes resting() {
    return resting;
  }

  /** Whether the DataNode should be asked; if not, it has no socket or could not be asked. */
  boolean isOffered() {
    if (rests && System.nanoTime() - restsUntil >= 0) {
      rests = false;
    }
    return !rests;
  }

  private void rest() {
    restsUntil = System.nanoTime() + RETRY_NANOS;
    rests = true;
    resting.forgetOff();
    closeIdle();
  }

  /** What the DataNode has answered, and the connection that must be given back. */
  static final class Turn {
    final TurnConnection connection;
    final TurnAnswer answer;

    Turn(TurnConnection connection, TurnAnswer answer) {
      this.connection = connection;
      this.answer = answer;
    }
  }

  /**
   * Asks the DataNode, and waits until the read may go.
   *
   * @param held the connection of the thread's last turn, whose end this request is; null for none
   * @return null if the DataNode could not be asked, and the read must go on without a turn
   * @throws InterruptedIOException if the DataNode says nothing: it may hang with one volume, and
   *     answer for the others
   */
  Turn enter(TurnConnection held, TurnRequest request) throws InterruptedIOException {
    TurnConnection known = held == null ? takeIdle() : held;
    if (known != null) {
      try {
        return ask(known, understood(request));
      } catch (InterruptedIOException e) {
        throw e;
      } catch (IOException | RuntimeException e) {
        // The DataNode was restarted, or has closed its socket; the others have ended, too.
        closeIdle();
        knowsNoTenants = false;
        if (held != null) {
          failed(e);
          return null;
        }
      }
    }
    if (!Files.exists(Path.of(path))) {
      // A DataNode without the agent, or on which no reads wait.
      rest();
      return null;
    }
    return enterAnew(request);
  }

  private Turn enterAnew(TurnRequest request) throws InterruptedIOException {
    TurnRequest understood = understood(request);
    boolean isConnected = false;
    try {
      TurnConnection connection = TurnConnection.open(path);
      isConnected = true;
      return ask(connection, understood);
    } catch (InterruptedIOException e) {
      throw e;
    } catch (IOException | RuntimeException e) {
      if (isConnected && understood.hint().tenant() != null) {
        return enterWithoutTenant(request.withoutTenant());
      }
      failed(e);
      return null;
    }
  }

  private Turn enterWithoutTenant(TurnRequest request) throws InterruptedIOException {
    Turn turn = enterAnew(request);
    if (turn != null) {
      knowsNoneUntil = System.nanoTime() + NO_TENANTS_NANOS;
      knowsNoTenants = true;
      LOG.warn("Short-circuit reads count for no tenant: the DataNode at " + path + " knows none");
    }
    return turn;
  }

  private TurnRequest understood(TurnRequest request) {
    if (request.hint().tenant() == null || !knowsNoTenants) {
      return request;
    }
    if (System.nanoTime() - knowsNoneUntil >= 0) {
      knowsNoTenants = false;
      return request;
    }
    return request.withoutTenant();
  }

  private static Turn ask(TurnConnection connection, TurnRequest request) throws IOException {
    boolean usable = false;
    try {
      TurnAnswer answer = connection.ask(request);
      usable = answer != null;
      if (!usable) {
        PriorityMetrics.LOCAL_UNASKED.increment();
      }
      return usable ? new Turn(connection, answer) : null;
    } finally {
      if (!usable) {
        connection.close();
      }
    }
  }

  private void failed(Exception e) {
    rest();
    PriorityMetrics.LOCAL_UNASKED.increment();
    LOG.warn(
        "Short-circuit reads do not wait for their turn for the next "
            + TimeUnit.NANOSECONDS.toSeconds(RETRY_NANOS)
            + " s: the DataNode cannot be asked at "
            + path
            + ": "
            + e);
  }

  /** The read is done, or was not even begun. */
  void leave(TurnConnection connection) {
    try {
      connection.leave();
    } catch (IOException | RuntimeException e) {
      // Which ends the turn as well.
      connection.close();
      return;
    }
    synchronized (idle) {
      if (idle.size() < MAX_IDLE && !rests) {
        idle.push(connection);
        return;
      }
    }
    connection.close();
  }

  private TurnConnection takeIdle() {
    synchronized (idle) {
      return idle.poll();
    }
  }

  private void closeIdle() {
    for (TurnConnection each = takeIdle(); each != null; each = takeIdle()) {
      each.close();
    }
  }
}
