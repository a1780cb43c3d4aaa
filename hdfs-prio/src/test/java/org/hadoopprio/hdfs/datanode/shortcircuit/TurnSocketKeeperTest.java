// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.hdfs.datanode.shortcircuit;

import static org.hadoopprio.lab.testing.Soon.soon;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import org.apache.hadoop.net.unix.DomainSocket;
import org.hadoopprio.hdfs.wire.DomainSockets;
import org.hadoopprio.hdfs.wire.TurnAnswer;
import org.hadoopprio.hdfs.wire.TurnRequest;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(60)
class TurnSocketKeeperTest {

  @TempDir private Path directory;
  private Path path;
  private TurnSocketKeeper keeper;

  /** The latest that the keeper has opened. */
  private TurnServer own;

  private int opened;

  @BeforeEach
  void make() {
    DomainSockets.require();
    path = directory.resolve("socket");
    keeper =
        new TurnSocketKeeper(
            path.toString(),
            () -> {
              opened++;
              own = server();
              return own;
            });
  }

  @AfterEach
  void close() {
    keeper.close();
  }

  /** One whose clients wait for nothing. */
  private static final class Handler implements TurnHandler {
    @Override
    public TurnAnswer enter(TurnRequest request, OutputStream client) {
      return TurnAnswer.FREE;
    }

    @Override
    public void leave() {}
  }

  private TurnServer server() throws IOException {
    return new TurnServer(path.toString(), 8, client -> 1000, client -> new Handler());
  }

  @Test
  void theSocketIsThereWhileItIsWanted() throws IOException {
    keeper.keep(() -> false);
    assertFalse(Files.exists(path));
    keeper.keep(() -> true);
    keeper.keep(() -> true);
    assertEquals(1, opened);
    DomainSocket.connect(path.toString()).close();
    keeper.keep(() -> false);
    assertFalse(Files.exists(path));
  }

  @Test
  void aSocketThatWasDeletedIsOpenedAgain() throws Exception {
    keeper.keep(() -> true);
    TurnServer before = own;
    try (DomainSocket client = DomainSocket.connect(path.toString())) {
      awaitConnections(before, 1);
      Files.delete(path);
      keeper.keep(() -> true);
      assertEquals(2, opened);
      assertTrue(own.isAtPath());
      DomainSocket.connect(path.toString()).close();
      // The client asks at the new one from now on.
      assertEquals(-1, client.getInputStream().read());
    }
    awaitConnections(before, 0);
  }

  private static void awaitConnections(TurnServer server, int number) {
    soon(number + " connections").until(server::connections, open -> open == number);
  }

  @Test
  void whatAKilledDataNodeHasLeftIsReplaced() throws IOException {
    DomainSocket.bindAndListen(path.toString()).close();
    assertTrue(Files.exists(path));
    keeper.removeStale();
    assertFalse(Files.exists(path));
    DomainSocket.bindAndListen(path.toString()).close();
    keeper.keep(() -> true);
    assertTrue(own.isAtPath());
  }

  @Test
  void theSocketOfAnotherDataNodeStaysAsLongAsThatIsThere() throws IOException {
    try (TurnServer other = server()) {
      keeper.removeStale();
      assertTrue(other.isAtPath());
      keeper.keep(() -> true);
      assertTrue(other.isAtPath());
      assertEquals(0, opened);
    }
    keeper.keep(() -> true);
    assertTrue(own.isAtPath());
  }

  @Test
  void oneThatAnotherDataNodeHasReplacedComesBackAfterThat() throws IOException {
    keeper.keep(() -> true);
    try (TurnServer other = server()) {
      keeper.keep(() -> true);
      assertTrue(other.isAtPath());
    }
    assertThrows(IOException.class, () -> DomainSocket.connect(path.toString()));
    keeper.keep(() -> true);
    assertEquals(2, opened);
    assertTrue(own.isAtPath());
  }
}
