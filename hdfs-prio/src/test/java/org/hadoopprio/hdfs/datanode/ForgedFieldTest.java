// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.hdfs.datanode;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;
import org.apache.hadoop.hdfs.protocol.proto.DataTransferProtos.CachingStrategyProto;
import org.apache.hadoop.hdfs.security.token.block.BlockTokenIdentifier;
import org.apache.hadoop.hdfs.server.datanode.DataNode;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.security.token.Token;
import org.apache.hadoop.thirdparty.protobuf.ByteString;
import org.apache.hadoop.thirdparty.protobuf.Message;
import org.apache.hadoop.thirdparty.protobuf.UnknownFieldSet;
import org.apache.log4j.AppenderSkeleton;
import org.apache.log4j.Logger;
import org.apache.log4j.spi.LoggingEvent;
import org.hadoopprio.IoClass;
import org.hadoopprio.IoPriority;
import org.hadoopprio.hdfs.wire.Hint;
import org.hadoopprio.hdfs.wire.PriorityField;
import org.hadoopprio.lab.testing.Need;
import org.hadoopprio.linux.ThreadIoPriority;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Whatever an unauthorized client sends, the DataNode serves the read, but not as real-time. */
class ForgedFieldTest {

  private static final ExtendedBlock BLOCK = new ExtendedBlock("BP-1", 1);
  private static final int ROUNDS = 100_000;
  private static final int WARM_UP = 10_000;
  private static final long MAX_GROWTH_BYTES = 8 << 20;

  @TempDir private Path directory;

  private Configuration conf;
  private DataNode dataNode;

  @BeforeEach
  void onlyAliceMayHaveRealtime() throws IOException, ReflectiveOperationException {
    Need.THREAD_PRIORITIES.require(Optional.ofNullable(ThreadIoPriority.unavailableReason()));
    Path policy =
        Files.writeString(
            directory.resolve("policy.xml"),
            "<io-priority-policy><rule user='alice' highest='rt:0'/></io-priority-policy>");
    conf = new Configuration(false);
    conf.set("dfs.datanode.io.priority.policy.file", policy.toAbsolutePath().toString());
    dataNode = UnstartedDataNode.of(conf);
  }

  private static Message operation(byte[] content) {
    UnknownFieldSet.Field field =
        UnknownFieldSet.Field.newBuilder().addLengthDelimited(ByteString.copyFrom(content)).build();
    return CachingStrategyProto.getDefaultInstance().toBuilder()
        .setUnknownFields(
            UnknownFieldSet.newBuilder().addField(PriorityField.NUMBER, field).build())
        .build();
  }

  private static Token<BlockTokenIdentifier> tokenOf(String user) {
    BlockTokenIdentifier id =
        new BlockTokenIdentifier(
            user, "BP-1", 1, EnumSet.of(BlockTokenIdentifier.AccessMode.READ), null, null, false);
    return new Token<>(id.getBytes(), new byte[0], id.getKind(), new Text());
  }

  private IoPriority servedAt(
      Message operation, Token<BlockTokenIdentifier> token, boolean proven, String client) {
    ParsedPriority.operationParsed(operation);
    DataNodeReads.readBegins(client, 0, 1, true, proven);
    DataNodeReads.accessChecked(dataNode, BLOCK, token, "/10.0.0.1:1");
    IoPriority served = ThreadIoPriority.applied();
    DataNodeReads.finishRead();
    assertNull(ThreadIoPriority.applied(), "nothing is left behind");
    return served;
  }

  @Test
  void aUserCountsOnlyWhereTheDataNodeChecksTokens() {
    Message rt0 =
        PriorityField.write(operation(new byte[0]), Hint.of(IoPriority.realtime(0), null));
    assertEquals(
        IoPriority.bestEffort(0),
        servedAt(rt0, tokenOf("alice"), false, "alice"),
        "a token that nobody checks can be anybody's");
    assertEquals(IoPriority.bestEffort(0), servedAt(rt0, tokenOf("bob"), true, "alice"));
    // Without CAP_SYS_NICE real-time is granted as well, and the read is done at be:0.
    DataNodeRequest alice = new DataNodeRequest("c", tokenOf("alice"), "/10.0.0.1:1");
    assertEquals(
        IoPriority.realtime(0),
        DataNodePolicy.of(conf).admit(IoPriority.realtime(0), alice, true).priority());
  }

  @Test
  void aHundredThousandForgedFieldsGiveNoRealtimeNoFloodAndNoLeak() {
    AtomicInteger lines = new AtomicInteger();
    AppenderSkeleton counter =
        new AppenderSkeleton() {
          @Override
          protected void append(LoggingEvent event) {
            lines.incrementAndGet();
          }

          @Override
          public void close() {}

          @Override
          public boolean requiresLayout() {
            return false;
          }
        };
    Logger.getLogger("org.hadoopprio").addAppender(counter);
    try {
      Random random = new Random(536_000_001);
      forge(random, WARM_UP);
      long before = usedBytes();
      forge(random, ROUNDS);
      long growth = usedBytes() - before;
      assertTrue(growth < MAX_GROWTH_BYTES, "the heap has grown by " + growth);
      assertTrue(lines.get() <= 20, "log lines: " + lines);
    } finally {
      Logger.getLogger("org.hadoopprio").removeAppender(counter);
    }
  }

  private void forge(Random random, int rounds) {
    for (int i = 0; i < rounds; i++) {
      boolean proven = random.nextBoolean();
      IoPriority served =
          servedAt(
              operation(content(random)),
              proven ? tokenOf("mallory" + random.nextInt()) : unprovenToken(random),
              proven,
              "DFSClient_alice_" + random.nextInt());
      if (served != null) {
        assertNotEquals(IoClass.REALTIME, served.ioClass());
      }
    }
  }

  /** Half of the contents are what a real client would send, mostly real-time. */
  private static byte[] content(Random random) {
    if (random.nextBoolean()) {
      return new byte[] {8, (byte) (1 + random.nextInt(4)), 16, (byte) random.nextInt(10)};
    }
    byte[] noise = new byte[random.nextInt(12)];
    random.nextBytes(noise);
    return noise;
  }

  private static Token<BlockTokenIdentifier> unprovenToken(Random random) {
    if (random.nextBoolean()) {
      return tokenOf("alice");
    }
    byte[] noise = new byte[random.nextInt(40)];
    random.nextBytes(noise);
    return new Token<>(noise, noise, new Text("HDFS_BLOCK_TOKEN"), new Text());
  }

  private static long usedBytes() {
    Runtime runtime = Runtime.getRuntime();
    long least = Long.MAX_VALUE;
    for (int i = 0; i < 5; i++) {
      System.gc();
      least = Math.min(least, runtime.totalMemory() - runtime.freeMemory());
    }
    return least;
  }
}
