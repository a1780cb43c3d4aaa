// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.hdfs.datanode.shortcircuit;

import static org.hadoopprio.lab.testing.Soon.soon;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.EOFException;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.hadoop.net.unix.DomainSocket;
import org.hadoopprio.hdfs.wire.DomainSockets;
import org.hadoopprio.hdfs.wire.Hint;
import org.hadoopprio.hdfs.wire.TurnAnswer;
import org.hadoopprio.hdfs.wire.TurnRequest;
import org.hadoopprio.linux.PeerUser;
import org.hadoopprio.metrics.PriorityMetrics;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Tests the server over a real socket, with a disk that one client at a time may use. */
@Timeout(60)
class TurnServerTest {

  private static final TurnRequest ENTER =
      TurnRequest.enter("BP-1", 1, 1, 0, 65536, 65536, Hint.NOTHING, "client", false);

  /** A single user may have half of them. */
  private static final int MAX_CONNECTIONS = 8;

  private static final int MAX_OF_ONE = 4;

  /** Longer than a test takes that needs a connection to stay. */
  private static final int IDLE_MILLIS = 120_000;

  /** The same for a turn; a test that waited for its end would see it counted. */
  private static final int TURN_MILLIS = 30_000;

  private final Semaphore disk = new Semaphore(1, true);
  private final List<DomainSocket> clients = new ArrayList<>();

  /** The number of the user who connects next. */
  private final AtomicInteger user = new AtomicInteger(1000);

  @TempDir private Path directory;
  private Path path;
  private TurnServer server;

  /** One client's place at the disk. */
  private final class Handler implements TurnHandler {
    private boolean in;

    @Override
    public TurnAnswer enter(TurnRequest request, OutputStream client) throws IOException {
      if (!tryAcquire()) {
        TurnAnswer.WAIT.writeTo(client);
        disk.acquireUninterruptibly();
      }
      in = true;
      return TurnAnswer.go(request.length(), null);
    }

    private boolean tryAcquire() {
      try {
        // Unlike without a time, behind those that wait.
        return disk.tryAcquire(0, TimeUnit.SECONDS);
      } catch (InterruptedException e) {
        throw new AssertionError(e);
      }
    }

    @Override
    public void leave() {
      if (in) {
        in = false;
        disk.release();
      }
    }
  }

  @BeforeEach
  void start() throws IOException {
    DomainSockets.require();
    path = directory.resolve("socket");
    server = server(IDLE_MILLIS, TURN_MILLIS);
  }

  private TurnServer server(int idleMillis, int turnMillis) throws IOException {
    return new TurnServer(
        path.toString(),
        MAX_CONNECTIONS,
        idleMillis,
        turnMillis,
        client -> user.get(),
        client -> new Handler());
  }

  @AfterEach
  void stop() throws IOException {
    for (DomainSocket client : clients) {
      client.close();
    }
    if (server != null) {
      server.close();
    }
  }

  private DomainSocket client() throws IOException {
    DomainSocket client = DomainSocket.connect(path.toString());
    clients.add(client);
    return client;
  }

  private static TurnAnswer answer(DomainSocket client) throws IOException {
    return TurnAnswer.read(client.getInputStream());
  }

  private static void send(DomainSocket client, TurnRequest request) throws IOException {
    request.writeTo(client.getOutputStream());
  }

  /** The client may read, after a wait or at once. */
  private static void assertGoes(DomainSocket client) throws IOException {
    TurnAnswer answer = answer(client);
    assertEquals(65536, (answer.isWait() ? answer(client) : answer).bytes());
  }

  /** The client has a turn, and a second one waits for it. */
  private DomainSocket waiting(DomainSocket first) throws IOException {
    send(first, ENTER);
    assertEquals(65536, answer(first).bytes());
    DomainSocket second = client();
    send(second, ENTER);
    assertTrue(answer(second).isWait());
    soon("the second client waits").until(disk::hasQueuedThreads);
    return second;
  }

  @Test
  void aTurnPassesOnWhenItsClientLeaves() throws IOException {
    DomainSocket first = client();
    DomainSocket second = waiting(first);
    send(first, TurnRequest.LEFT);
    assertEquals(65536, answer(second).bytes());
    send(second, TurnRequest.LEFT);
    send(first, ENTER);
    assertGoes(first);
  }

  @Test
  void anotherRequestEndsTheTurnBefore() throws IOException {
    DomainSocket first = client();
    DomainSocket second = waiting(first);
    send(first, ENTER);
    assertEquals(65536, answer(second).bytes());
    assertTrue(answer(first).isWait());
    second.close();
    assertEquals(65536, answer(first).bytes());
  }

  @Test
  void aTurnPassesOnWhenItsConnectionIsClosed() throws IOException {
    DomainSocket first = client();
    DomainSocket second = waiting(first);
    final long lost = PriorityMetrics.LOCAL_LOST.sum();
    first.close();
    assertEquals(65536, answer(second).bytes());
    assertEquals(lost, PriorityMetrics.LOCAL_LOST.sum());
  }

  @Test
  void aClientThatEndsWhileItWaitsLeavesNothingBehind() throws Exception {
    DomainSocket first = client();
    waiting(first).close();
    send(first, TurnRequest.LEFT);
    assertTrue(disk.tryAcquire(10, TimeUnit.SECONDS));
  }

  @Test
  @Timeout(30)
  void aSilentClientLosesItsTurnLongBeforeItsConnection() throws Exception {
    server.close();
    server =
        new TurnServer(
            path.toString(), MAX_CONNECTIONS, client -> user.get(), client -> new Handler());
    final long lost = PriorityMetrics.LOCAL_LOST.sum();
    DomainSocket silent = client();
    send(silent, ENTER);
    assertEquals(65536, answer(silent).bytes());
    assertTrue(disk.tryAcquire(10, TimeUnit.SECONDS));
    assertEquals(lost + 1, PriorityMetrics.LOCAL_LOST.sum());
    disk.release();
    send(silent, ENTER);
    assertGoes(silent);
  }

  /** The rest of it may be long in coming. */
  @Test
  void theFirstByteOfAMessageEndsTheTurn() throws IOException {
    DomainSocket first = client();
    DomainSocket second = waiting(first);
    final long lost = PriorityMetrics.LOCAL_LOST.sum();
    first.getOutputStream().write(1);
    assertEquals(65536, answer(second).bytes());
    assertEquals(lost, PriorityMetrics.LOCAL_LOST.sum());
  }

  /** Each request is answered, and has the turn meanwhile. */
  @Test
  void aClientThatTakesNoAnswersKeepsNoTurnForIt() throws IOException {
    long least = Long.MAX_VALUE;
    for (int i = 0; i < 3; i++) {
      DomainSocket client = client();
      long begun = System.nanoTime();
      assertThrows(IOException.class, () -> sendForEver(client));
      least = Math.min(least, System.nanoTime() - begun);
    }
    assertTrue(least < TimeUnit.MILLISECONDS.toNanos(TurnServer.TURN_MILLIS), least + " ns");
  }

  private static void sendForEver(DomainSocket client) throws IOException {
    while (true) {
      send(client, ENTER);
    }
  }

  @Test
  void whatIsNoRequestEndsOnlyItsOwnConnection() throws IOException {
    DomainSocket good = client();
    send(good, ENTER);
    assertEquals(65536, answer(good).bytes());
    send(good, TurnRequest.LEFT);
    long refused = PriorityMetrics.LOCAL_REFUSED.sum();
    for (int version = 2; version < 50; version++) {
      try (DomainSocket bad = DomainSocket.connect(path.toString())) {
        bad.getOutputStream().write(new byte[] {(byte) version, 1, 0, 0, 7, 7, 7});
        assertThrows(IOException.class, () -> answer(bad));
      }
    }
    assertEquals(refused + 48, PriorityMetrics.LOCAL_REFUSED.sum());
    send(good, ENTER);
    assertEquals(65536, answer(good).bytes());
  }

  @Test
  void aMalformedRequestInATurnEndsTheTurn() throws IOException {
    DomainSocket first = client();
    DomainSocket second = waiting(first);
    first.getOutputStream().write(new byte[] {1, 9, 0, 0});
    assertEquals(65536, answer(second).bytes());
  }

  /** A client has a connection, and reads once. */
  private void assertServed() throws IOException {
    DomainSocket client = client();
    send(client, ENTER);
    assertGoes(client);
    send(client, TurnRequest.LEFT);
  }

  @Test
  void moreConnectionsThanAUserMayHaveAreClosedAtOnce() throws Exception {
    for (int i = 0; i < MAX_OF_ONE; i++) {
      assertServed();
    }
    long refused = PriorityMetrics.LOCAL_REFUSED.sum();
    DomainSocket tooMany = client();
    assertThrows(EOFException.class, () -> answer(tooMany));
    assertEquals(refused + 1, PriorityMetrics.LOCAL_REFUSED.sum());
    clients.get(0).close();
    soon("the connection is closed").until(() -> server.connections() < MAX_OF_ONE);
    assertServed();
  }

  @Test
  void whoeverTakesAllHeCanLeavesSomeForOthers() throws IOException {
    for (int share : new int[] {MAX_OF_ONE, 2, 1}) {
      for (int i = 0; i < share; i++) {
        assertServed();
      }
      DomainSocket tooMany = client();
      assertThrows(EOFException.class, () -> answer(tooMany));
      user.incrementAndGet();
    }
    assertServed();
    assertEquals(MAX_CONNECTIONS, server.connections());
  }

  @Test
  void aConnectionOnWhichNothingComesIsClosed() throws IOException {
    server.close();
    server = server(1, TURN_MILLIS);
    DomainSocket silent = client();
    assertThrows(IOException.class, () -> answer(silent));
  }

  @Test
  void closingEndsTheConnectionsAndRemovesTheSocket() throws IOException {
    DomainSocket first = client();
    send(first, ENTER);
    answer(first);
    server.close();
    assertThrows(EOFException.class, () -> answer(first));
    assertFalse(Files.exists(path));
    assertThrows(IOException.class, this::client);
  }

  /** Both have the same dfs.domain.socket.path, and the second one has taken the first for dead. */
  @Test
  void closingLeavesTheSocketOfAnotherDataNodeWhereItIs() throws IOException {
    assertTrue(server.isAtPath());
    Files.delete(path);
    assertFalse(server.isAtPath());
    TurnServer first = server;
    server = server(IDLE_MILLIS, TURN_MILLIS);
    assertFalse(first.isAtPath());
    first.close();
    assertTrue(server.isAtPath());
    assertServed();
  }

  @Test
  void theKernelTellsTheUser() throws IOException {
    DomainSocket client = client();
    assertEquals(
        System.getProperty("user.name"), PeerUser.name(PeerUser.uid(SocketNumber.of(client))));
  }
}
