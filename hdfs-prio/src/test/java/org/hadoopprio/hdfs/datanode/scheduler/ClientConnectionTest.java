// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.hdfs.datanode.scheduler;

import static org.hadoopprio.lab.testing.Soon.soon;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.BooleanSupplier;
import net.bytebuddy.agent.ByteBuddyAgent;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.net.BasicInetPeer;
import org.hadoopprio.IoPriority;
import org.hadoopprio.disktime.Disk;
import org.hadoopprio.disktime.DiskClass;
import org.hadoopprio.disktime.Stream;
import org.hadoopprio.hdfs.wire.RefusedReadException;
import org.hadoopprio.linux.DescriptorNumber;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Tests with connections of this machine. A wait would last 20 s; one that ends does so in 1 s. */
@Timeout(60)
class ClientConnectionTest {

  private static final int PACKET = 64 << 10;
  private static final CachedData NOT_CACHED = (offset, length) -> false;
  private static final long MOST_SECONDS = 10;

  private final SchedulerSettings settings = SchedulerSettings.of(new Configuration(false));
  private final VolumeQueue queue =
      new VolumeQueue(
          "/data/1", settings.limits(), 1, System::nanoTime, reads -> false, () -> true);

  @BeforeAll
  static void openTheSocketsOfJava() {
    DescriptorNumber.openWith(ByteBuddyAgent.install());
  }

  private static boolean isGone(ClientConnection connection) {
    connection.look();
    return connection.isGone();
  }

  private static void awaitGone(ClientConnection connection) {
    soon("the client is gone").until(() -> isGone(connection));
  }

  @Test
  void aClientIsThereUntilItCloses() throws Exception {
    try (Connected connected = new Connected()) {
      ClientConnection connection = connected.connection();
      assertFalse(isGone(connection));
      connected.clientCloses();
      assertFalse(connection.isGone(), "nobody has looked");
      awaitGone(connection);
    }
  }

  @Test
  void whatTheClientHasSentStays() throws Exception {
    try (Connected connected = new Connected()) {
      ClientConnection connection = connected.connection();
      connected.clientWrites(3);
      assertFalse(isGone(connection));
      connected.clientCloses();
      awaitGone(connection);
      assertEquals(3, connected.peer().getInputStream().read(new byte[4]));
    }
  }

  /** The other end is told by a reset then. */
  @Test
  void aClientThatHasNotReadAllIsGoneAsWell() throws Exception {
    try (Connected connected = new Connected()) {
      ClientConnection connection = connected.connection();
      connected.dataNodeWrites(PACKET);
      connected.clientCloses();
      awaitGone(connection);
    }
  }

  @Test
  void whoseConnectionTheDataNodeHasClosedIsGone() throws Exception {
    try (Connected connected = new Connected()) {
      ClientConnection connection = connected.connection();
      connected.peer().close();
      assertTrue(isGone(connection));
    }
  }

  @Test
  void ofOtherConnectionsNothingIsKnown() throws Exception {
    InetAddress here = InetAddress.getLoopbackAddress();
    try (ServerSocket server = new ServerSocket(0, 1, here);
        Socket socket = new Socket(here, server.getLocalPort())) {
      ClientConnection connection = ClientConnection.of(new BasicInetPeer(socket));
      assertSame(ClientConnection.UNKNOWN, connection);
    }
    assertFalse(isGone(ClientConnection.UNKNOWN));
    assertEquals(20, ClientConnection.UNKNOWN.untilLook(20));
  }

  private ScheduledRead read(IoPriority priority, Stream stream, Connected connected) {
    ScheduledRead read = ScheduledRead.of(queue, settings, priority, stream);
    read.setClient(connected.connection());
    return read;
  }

  private static boolean begin(ScheduledRead read) {
    try {
      read.begin();
      return true;
    } catch (RefusedReadException e) {
      throw new AssertionError(e);
    }
  }

  private static boolean packet(ScheduledRead read, long offset) {
    read.packet(offset, 4L << 20, NOT_CACHED);
    return true;
  }

  private void endsWithItsClient(
      ScheduledRead read, BooleanSupplier work, IoPriority priority, Connected connected)
      throws Exception {
    CompletableFuture<Boolean> done = CompletableFuture.supplyAsync(work::getAsBoolean);
    boolean realtime = priority != null;
    soon("the read waits")
        .until(
            () ->
                1
                    == (realtime ? queue.status().getRealtime() : queue.status().getBestEffort())
                        .getWaiting());
    connected.clientWrites(1);
    assertThrows(
        TimeoutException.class,
        () -> done.get(1_500, TimeUnit.MILLISECONDS),
        "one that says something is there");
    assertFalse(read.isClientGone());
    connected.clientCloses();
    done.get(MOST_SECONDS, TimeUnit.SECONDS);
    assertTrue(read.isClientGone());
    read.finish();
    assertEquals(0, queue.status().getBestEffort().getWaiting());
    assertEquals(0, queue.status().getRealtime().getWaiting());
    assertEquals(0, queue.counters().overdueWaits());
    assertEquals(0, queue.counters().lostReads(), "nor did it end with those before it");
  }

  @Test
  void aShortReadWaitsNoLongerThanItsClient() throws Exception {
    Ticket holder = Tickets.be(4, new Stream());
    assertTrue(queue.enter(holder, () -> false));
    try (Connected connected = new Connected()) {
      ScheduledRead read = read(null, null, connected);
      begin(read);
      endsWithItsClient(read, () -> packet(read, 0), null, connected);
    }
    queue.done(holder);
  }

  /** As many as may be at the disk together. */
  private List<Ticket> full() {
    List<Ticket> inside = new ArrayList<>();
    for (int i = 0; i < Disk.REALTIME_DEPTH; i++) {
      inside.add(Tickets.realtime());
      queue.enterRealtime(inside.get(i), false);
    }
    return inside;
  }

  @Test
  void aRealtimeReadWaitsNoLongerThanItsClient() throws Exception {
    List<Ticket> inside = full();
    try (Connected connected = new Connected()) {
      IoPriority priority = IoPriority.realtime(0);
      ScheduledRead read = read(priority, null, connected);
      endsWithItsClient(read, () -> begin(read), priority, connected);
    }
    inside.forEach(queue::doneRealtime);
  }

  @Test
  void noLaterPartOfItIsReadThen() throws Exception {
    try (Connected connected = new Connected()) {
      IoPriority priority = IoPriority.realtime(0);
      ScheduledRead read = read(priority, null, connected);
      begin(read);
      packet(read, 0);
      read.suspend();
      final long bytes = queue.counters().bytes(DiskClass.REALTIME);
      final List<Ticket> inside = full();
      endsWithItsClient(read, () -> packet(read, 512 << 10), priority, connected);
      inside.forEach(queue::doneRealtime);
      assertEquals(bytes, queue.counters().bytes(DiskClass.REALTIME));
    }
  }
}
