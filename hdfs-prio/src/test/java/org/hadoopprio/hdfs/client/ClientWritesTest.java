// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.hdfs.client;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.EnumSet;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.DFSClient;
import org.apache.hadoop.hdfs.client.HdfsClientConfigKeys;
import org.apache.hadoop.hdfs.protocol.datatransfer.Op;
import org.apache.hadoop.hdfs.protocol.proto.DataTransferProtos.CachingStrategyProto;
import org.apache.hadoop.thirdparty.protobuf.Message;
import org.hadoopprio.IoPriority;
import org.hadoopprio.PriorityScope;
import org.hadoopprio.hdfs.wire.MalformedPriorityException;
import org.hadoopprio.hdfs.wire.PriorityField;
import org.hadoopprio.off.SwitchedOff;
import org.hadoopprio.role.WorkScope;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ClientWritesTest {

  private static final Message OPERATION = CachingStrategyProto.getDefaultInstance();

  private final Object streamer = new Object();

  /** What the streamer's thread sends with an operation. */
  private IoPriority sent(Op op) throws Exception {
    Callable<IoPriority> work =
        () -> {
          PriorityScope scope = ClientWrites.streamerRuns(streamer);
          try {
            return PriorityField.read(ClientReads.stamp(op, OPERATION)).priority();
          } finally {
            WorkScope.close(scope);
            assertNull(PriorityScope.current());
          }
        };
    ExecutorService thread = Executors.newSingleThreadExecutor();
    try {
      return thread.submit(work).get();
    } finally {
      thread.shutdownNow();
    }
  }

  @Test
  void aFileKeepsThePriorityItWasOpenedWith() throws Exception {
    try (PriorityScope scope = PriorityScope.open(IoPriority.IDLE)) {
      ClientWrites.streamerMade(streamer, null);
    }
    assertEquals(IoPriority.IDLE, sent(Op.WRITE_BLOCK));
    try (PriorityScope scope = PriorityScope.open(IoPriority.realtime(0))) {
      assertEquals(IoPriority.IDLE, sent(Op.WRITE_BLOCK));
    }
  }

  @Test
  void aFileOpenedWithoutAPriorityIsWrittenWithout() throws Exception {
    ClientWrites.streamerMade(streamer, null);
    assertNull(sent(Op.WRITE_BLOCK));
    try (PriorityScope scope = PriorityScope.open(IoPriority.NONE)) {
      ClientWrites.streamerMade(streamer, null);
    }
    assertNull(sent(Op.WRITE_BLOCK));
  }

  @Test
  void onlyOperationsThatReadOrWriteForAClientAreStamped() {
    try (PriorityScope scope = PriorityScope.open(IoPriority.IDLE)) {
      Set<Op> stamped = EnumSet.noneOf(Op.class);
      for (Op op : Op.values()) {
        if (ClientReads.stamp(op, OPERATION) != OPERATION) {
          stamped.add(op);
        }
      }
      assertEquals(
          EnumSet.of(
              Op.READ_BLOCK,
              Op.WRITE_BLOCK,
              Op.TRANSFER_BLOCK,
              Op.BLOCK_CHECKSUM,
              Op.BLOCK_GROUP_CHECKSUM),
          stamped);
    }
  }

  @Test
  void nothingIsStampedWhileAllIsOff() throws Exception {
    try (PriorityScope scope = PriorityScope.open(IoPriority.IDLE)) {
      ClientWrites.streamerMade(streamer, null);
      try (SwitchedOff off = SwitchedOff.all()) {
        for (Op op : Op.values()) {
          assertSame(OPERATION, ClientReads.stamp(op, OPERATION));
        }
        assertNull(sent(Op.WRITE_BLOCK));
      }
    }
    assertEquals(IoPriority.IDLE, sent(Op.WRITE_BLOCK), "a file that was opened before");
  }

  private static DFSClient client(int timeoutMillis) throws IOException {
    Configuration conf = new Configuration(false);
    conf.setInt(HdfsClientConfigKeys.DFS_CLIENT_SOCKET_TIMEOUT_KEY, timeoutMillis);
    // It does not connect before it is asked for something.
    return new DFSClient(new InetSocketAddress(InetAddress.getLoopbackAddress(), 1), conf);
  }

  private static int patience(Op op) throws MalformedPriorityException {
    return PriorityField.read(ClientReads.stamp(op, OPERATION)).patienceMillis();
  }

  @Test
  void aWriteStatesHowLongItsClientWaits() throws Exception {
    try (DFSClient client = client(5_000);
        PriorityScope scope = PriorityScope.open(IoPriority.IDLE)) {
      ClientWrites.streamerMade(streamer, client);
    }
    PriorityScope runs = ClientWrites.streamerRuns(streamer);
    assertEquals(5_000, patience(Op.WRITE_BLOCK));
    WorkScope.close(runs);
  }

  @ParameterizedTest
  @CsvSource({"5000, 5000", "60000, 0"})
  void aReadStatesHowLongItsClientWaits(int timeoutMillis, int stated) throws Exception {
    try (DFSClient client = client(timeoutMillis)) {
      ClientDefaults entered = ClientReads.opening(client);
      assertSame(OPERATION, ClientReads.stamp(Op.READ_BLOCK, OPERATION), "without a priority");
      try (PriorityScope scope = PriorityScope.open(IoPriority.IDLE)) {
        assertEquals(stated, patience(Op.READ_BLOCK));
      }
      ClientReads.openingEnds(entered);
      try (PriorityScope scope = PriorityScope.open(IoPriority.IDLE)) {
        assertEquals(0, patience(Op.READ_BLOCK), "of another client");
      }
    }
  }
}
