// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.agent.hooks;

import static net.bytebuddy.matcher.ElementMatchers.named;
import static net.bytebuddy.matcher.ElementMatchers.takesNoArguments;
import static org.hadoopprio.off.AgentModule.DATANODE;
import static org.hadoopprio.off.AgentModule.ENGINES;
import static org.hadoopprio.off.AgentModule.SCHEDULER;

import java.io.IOException;
import net.bytebuddy.asm.Advice;
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;
import org.apache.hadoop.hdfs.server.datanode.DataNode;
import org.apache.hadoop.hdfs.server.datanode.FileIoProvider;
import org.apache.hadoop.hdfs.server.datanode.Replica;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.ReplicaInputStreams;
import org.hadoopprio.hdfs.datanode.DataNodeReads;
import org.hadoopprio.hdfs.datanode.scheduler.ScheduledReads;
import org.hadoopprio.hdfs.wire.RefusedReadException;

/** Sends a block's data in packets, for any read of a DataNode. */
public final class BlockSenderHooks extends TypeHooks {

  public static final String BLOCK_SENDER = "org.apache.hadoop.hdfs.server.datanode.BlockSender";

  public BlockSenderHooks() {
    in(BLOCK_SENDER);
    hook(DATANODE, "packet-bytes", named("sendPacket"), "PacketBytes");
    hook(SCHEDULER, "packet", named("sendPacket"), "Packet");
    hook(ENGINES, "answer", named("getOffset").and(takesNoArguments()), "Answer");
    hook(ENGINES, "send-block", named("sendBlock"), "SendBlock");
  }

  /** Counts the bytes that a packet has carried to the client, for the metrics. */
  static final class PacketBytes {
    @Advice.OnMethodExit(suppress = Throwable.class)
    static void exit(@Advice.Return int bytes) {
      DataNodeReads.sent(bytes);
    }
  }

  /** Each packet that a DataNode reads and sends, at any priority, waits for its turn. */
  static final class Packet {
    @Advice.OnMethodEnter(suppress = Throwable.class, skipOn = IOException.class)
    static Object enter(
        @Advice.FieldValue("datanode") DataNode dataNode,
        @Advice.FieldValue("ris") ReplicaInputStreams replica,
        @Advice.FieldValue("block") ExtendedBlock block,
        @Advice.FieldValue("seqno") long number,
        @Advice.FieldValue("offset") long offset,
        @Advice.FieldValue("endOffset") long end) {
      return ScheduledReads.packet(dataNode, block, replica, number, offset, end);
    }

    @Advice.OnMethodExit(onThrowable = Throwable.class, suppress = Throwable.class)
    static void exit(
        @Advice.Enter Object packet,
        @Advice.FieldValue("offset") long offset,
        @Advice.Return int bytes,
        @Advice.Thrown(readOnly = false) Throwable failure) {
      if (packet instanceof IOException) {
        failure = (IOException) packet;
      } else {
        ScheduledReads.packetDone(packet, offset, bytes);
      }
    }
  }

  /**
   * The last that DataXceiver asks a BlockSender before it answers the client: where its data
   * begins ({@code writeSuccessWithChecksumInfo}). Nothing else asks that. Reads ahead what may
   * fail, and throws {@link RefusedReadException} in place of the answer.
   */
  static final class Answer {
    // Its exception is for DataXceiver, so it is not suppressed; DataNodeReads throws no other.
    @Advice.OnMethodEnter
    static void enter(
        @Advice.FieldValue("replica") Replica replica,
        @Advice.FieldValue(value = "ris", readOnly = false) ReplicaInputStreams streams,
        @Advice.FieldValue("fileIoProvider") FileIoProvider provider,
        @Advice.FieldValue("offset") long offset,
        @Advice.FieldValue("endOffset") long end)
        throws RefusedReadException {
      ReplicaInputStreams answering =
          DataNodeReads.answering(replica, streams, provider, offset, end);
      if (answering == null) {
        throw new RefusedReadException("The drive gave up on the read for its duration limit");
      }
      streams = answering;
    }
  }

  /**
   * Hands the reading of a block for a client to an engine. {@code
   * FsDatasetSpi.getBlockInputStream} is not suitable: it also serves short-circuit reads and
   * checksums of blocks, and has neither the volume nor the end of the read.
   */
  static final class SendBlock {
    @Advice.OnMethodEnter(suppress = Throwable.class)
    static void enter(
        @Advice.FieldValue("replica") Replica replica,
        @Advice.FieldValue(value = "ris", readOnly = false) ReplicaInputStreams streams,
        @Advice.FieldValue("fileIoProvider") FileIoProvider provider,
        @Advice.FieldValue("offset") long offset,
        @Advice.FieldValue("endOffset") long end)
        throws IOException {
      streams = DataNodeReads.streams(replica, streams, provider, offset, end);
    }
  }
}
