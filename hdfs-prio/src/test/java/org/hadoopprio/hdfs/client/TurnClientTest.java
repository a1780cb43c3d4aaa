// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.hdfs.client;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.hadoop.net.unix.DomainSocket;
import org.hadoopprio.hdfs.wire.DomainSockets;
import org.hadoopprio.hdfs.wire.Hint;
import org.hadoopprio.hdfs.wire.TurnAnswer;
import org.hadoopprio.hdfs.wire.TurnRequest;
import org.hadoopprio.metrics.PriorityMetrics;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Tests the client over a real socket, with servers that behave and servers that do not. */
@Timeout(60)
class TurnClientTest {

  private static final TurnRequest ENTER =
      TurnRequest.enter("BP-1", 1, 1, 0, 65536, 65536, Hint.NOTHING, "client", false);

  /** What a server does with a connection. */
  private interface Behaviour {
    void serve(DomainSocket client) throws Exception;
  }

  private final AtomicInteger connections = new AtomicInteger();
  private final long unasked = PriorityMetrics.LOCAL_UNASKED.sum();
  @TempDir private Path directory;
  private String path;
  private TurnClient client;
  private DomainSocket listening;

  @BeforeEach
  void start() {
    DomainSockets.require();
    path = directory.resolve("socket").toString();
    client = new TurnClient(path, new RestingVolumes(System::nanoTime));
  }

  @AfterEach
  void stop() throws IOException {
    if (listening != null) {
      listening.close();
    }
  }

  private void serve(Behaviour behaviour) throws IOException {
    DomainSocket socket = DomainSocket.bindAndListen(path);
    listening = socket;
    Thread accept =
        new Thread(
            () -> {
              try {
                while (true) {
                  DomainSocket connection = socket.accept();
                  connections.incrementAndGet();
                  Thread thread = new Thread(() -> run(behaviour, connection));
                  thread.setDaemon(true);
                  thread.start();
                }
              } catch (IOException e) {
                // The end of the test.
              }
            });
    accept.setDaemon(true);
    accept.start();
  }

  private static void run(Behaviour behaviour, DomainSocket connection) {
    try (DomainSocket closing = connection) {
      behaviour.serve(connection);
    } catch (Exception e) {
      // The client has gone.
    }
  }

  private static void letPass(DomainSocket connection) throws IOException {
    TurnRequest request = TurnRequest.read(connection.getInputStream(), () -> {});
    while (request != null) {
      if (!request.isLeft()) {
        TurnAnswer.go(request.length(), null).writeTo(connection.getOutputStream());
      }
      request = TurnRequest.read(connection.getInputStream(), () -> {});
    }
  }

  private void assertFailed() throws IOException {
    assertNull(client.enter(null, ENTER));
    assertEquals(unasked + 1, PriorityMetrics.LOCAL_UNASKED.sum());
    assertFalse(client.isOffered(), "not asked again at once");
  }

  @Test
  void withoutASocketNothingIsAskedAndNothingHasFailed() throws IOException {
    assertTrue(client.isOffered());
    assertNull(client.enter(null, ENTER));
    assertFalse(client.isOffered());
    assertEquals(unasked, PriorityMetrics.LOCAL_UNASKED.sum());
  }

  /** As a DataNode of 0.1.0 does with a flag that it does not know. */
  private static void letPassWithoutTenant(DomainSocket connection) throws IOException {
    TurnRequest request = TurnRequest.read(connection.getInputStream(), () -> {});
    if (request.hint().tenant() == null) {
      TurnAnswer.go(request.length(), null).writeTo(connection.getOutputStream());
      letPass(connection);
    }
  }

  @Test
  void aDataNodeThatKnowsNoTenantsIsAskedWithoutOne() throws IOException {
    serve(TurnClientTest::letPassWithoutTenant);
    Hint hint = Hint.NOTHING.ofTenant("etl");
    TurnRequest ofTenant = TurnRequest.enter("BP-1", 1, 1, 0, 65536, 65536, hint, "client", false);
    for (int i = 0; i < 3; i++) {
      TurnClient.Turn turn = client.enter(null, ofTenant);
      assertEquals(65536, turn.answer.bytes());
      client.leave(turn.connection);
    }
    assertEquals(2, connections.get(), "it is tried once");
    assertEquals(unasked, PriorityMetrics.LOCAL_UNASKED.sum());
  }

  /** As a DataNode does that is at its limit, or starts. */
  @Test
  void whoCannotBeAskedIsNotTakenForOneThatKnowsNoTenants() throws Exception {
    AtomicInteger named = new AtomicInteger();
    serve(
        connection -> {
          if (connections.get() > 2) {
            TurnRequest request = TurnRequest.read(connection.getInputStream(), () -> {});
            named.addAndGet(request.hint().tenant() == null ? 0 : 1);
            TurnAnswer.go(request.length(), null).writeTo(connection.getOutputStream());
            letPass(connection);
          }
        });
    Hint hint = Hint.NOTHING.ofTenant("etl");
    TurnRequest ofTenant = TurnRequest.enter("BP-1", 1, 1, 0, 65536, 65536, hint, "client", false);
    assertNull(client.enter(null, ofTenant));
    assertEquals(65536, client.enter(null, ofTenant).answer.bytes());
    assertEquals(1, named.get(), "the next one is asked with the tenant");
  }

  @Test
  void connectionsAreUsedAgain() throws IOException {
    serve(TurnClientTest::letPass);
    for (int i = 0; i < 100; i++) {
      TurnClient.Turn first = client.enter(null, ENTER);
      assertEquals(65536, first.answer.bytes());
      TurnClient.Turn second = client.enter(null, ENTER);
      first = client.enter(first.connection, ENTER);
      client.leave(first.connection);
      client.leave(second.connection);
    }
    assertEquals(2, connections.get());
  }

  @Test
  void aRestartedDataNodeIsAskedAgainAtOnce() throws IOException {
    serve(
        connection -> {
          TurnRequest.read(connection.getInputStream(), () -> {});
          TurnAnswer.go(1, null).writeTo(connection.getOutputStream());
          TurnRequest.read(connection.getInputStream(), () -> {});
        });
    client.leave(client.enter(null, ENTER).connection);
    assertNotNull(client.enter(null, ENTER));
    assertEquals(2, connections.get());
    assertEquals(unasked, PriorityMetrics.LOCAL_UNASKED.sum());
  }

  @Test
  void aServerThatClosesTheConnectionIsLeftAlone() throws IOException {
    serve(connection -> {});
    assertFailed();
  }

  @Test
  void aServerOfAnotherVersionIsLeftAlone() throws IOException {
    serve(
        connection -> {
          connection.getOutputStream().write(new byte[] {2, 1, 0, 0});
          TurnRequest.read(connection.getInputStream(), () -> {});
        });
    assertFailed();
  }

  @Test
  void aSocketOfADataNodeThatWasKilledIsLeftAlone() throws IOException {
    serve(TurnClientTest::letPass);
    // The file stays.
    listening.close();
    assertFailed();
  }

  @Test
  void aSilentServerIsNotWaitedForButAskedAgain() throws IOException {
    serve(connection -> Thread.sleep(30_000));
    long asked = System.nanoTime();
    assertThrows(InterruptedIOException.class, () -> client.enter(null, ENTER));
    assertTrue(System.nanoTime() - asked < 2 * TurnConnection.SILENCE_NANOS);
    assertTrue(client.isOffered(), "it may hang with one volume only");
  }

  @Test
  void aReadThatIsToldToWaitWaits() throws IOException {
    serve(
        connection -> {
          TurnRequest.read(connection.getInputStream(), () -> {});
          TurnAnswer.WAIT.writeTo(connection.getOutputStream());
          // What is tested is an answer that comes so late: no condition takes the place of time.
          Thread.sleep(TimeUnit.NANOSECONDS.toMillis(TurnConnection.SILENCE_NANOS) + 500);
          TurnAnswer.go(1, null).writeTo(connection.getOutputStream());
          letPass(connection);
        });
    assertEquals(1, client.enter(null, ENTER).answer.bytes());
  }

  @Test
  void anInterruptEndsTheWaitAndStays() throws Exception {
    serve(
        connection -> {
          TurnRequest.read(connection.getInputStream(), () -> {});
          TurnAnswer.WAIT.writeTo(connection.getOutputStream());
          Thread.sleep(30_000);
        });
    Thread.currentThread().interrupt();
    assertNull(client.enter(null, ENTER));
    assertTrue(Thread.interrupted());
    assertTrue(client.isOffered(), "nothing is wrong with the DataNode");
  }
}
