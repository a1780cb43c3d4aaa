// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.agent.hooks;

import static net.bytebuddy.matcher.ElementMatchers.named;
import static net.bytebuddy.matcher.ElementMatchers.takesNoArguments;
import static org.hadoopprio.off.AgentModule.DATANODE;

import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import net.bytebuddy.asm.Advice;
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;
import org.apache.hadoop.hdfs.server.datanode.DataNode;
import org.apache.hadoop.hdfs.server.datanode.ReplicaInPipeline;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.ReplicaOutputStreams;
import org.hadoopprio.hdfs.datanode.DataNodeWrites;

/** Receives a block's data in packets, and writes them to a replica. */
public final class BlockReceiverHooks extends TypeHooks {

  public static final String BLOCK_RECEIVER =
      "org.apache.hadoop.hdfs.server.datanode.BlockReceiver";

  /** The streams to which a replica is written. */
  private static final String REPLICA_OUTPUT_STREAMS =
      "org.apache.hadoop.hdfs.server.datanode.fsdataset.ReplicaOutputStreams";

  public BlockReceiverHooks() {
    in(BLOCK_RECEIVER);
    hook(DATANODE, "receive-block", named("receiveBlock"), "Receive");
    // It is called after each packet; Hadoop 3.4 has a second parameter.
    hook(DATANODE, "written-packet", named("manageWriterOsCache"), "WrittenPacket");
    // A sync that a client asks for, and that at the end of a block (dfs.datanode.synconclose),
    // which another thread does, sync the checksums first.
    in(REPLICA_OUTPUT_STREAMS);
    hook(
        DATANODE,
        "sync-checksums",
        named("syncChecksumOut").and(takesNoArguments()),
        "SyncChecksums");
    hook(DATANODE, "sync-data", named("syncDataOut").and(takesNoArguments()), "SyncData");
    in(BLOCK_RECEIVER);
    // The first sync of a block is one of its directory, too.
    hook(DATANODE, "synced", named("flushOrSync"), "Synced");
  }

  /**
   * Gives the thread that receives a block the priority of the write as long as it receives. The
   * volume of the replica is known by then, and the PacketResponder is not started yet.
   */
  static final class Receive {
    @Advice.OnMethodEnter(suppress = Throwable.class)
    static void enter(
        @Advice.FieldValue("datanode") DataNode dataNode,
        @Advice.FieldValue("replicaInfo") ReplicaInPipeline replica,
        @Advice.FieldValue("block") ExtendedBlock block,
        @Advice.FieldValue("streams") ReplicaOutputStreams streams) {
      DataNodeWrites.receiveBegins(dataNode, replica);
      DataNodeWrites.receivesInto(streams, block);
    }

    @Advice.OnMethodExit(onThrowable = Throwable.class, suppress = Throwable.class)
    static void exit(@Advice.FieldValue("replicaInfo") ReplicaInPipeline replica) {
      DataNodeWrites.receiveEnds(replica);
    }
  }

  /** A packet of a block has been written to the block's file. */
  static final class WrittenPacket {
    @Advice.OnMethodEnter(suppress = Throwable.class)
    static void enter(
        @Advice.FieldValue("streams") ReplicaOutputStreams streams,
        @Advice.Argument(0) long offsetInBlock) {
      DataNodeWrites.written(streams.getOutFd(), offsetInBlock);
    }
  }

  /** The files of a block are synced: the checksums, which are in their own, first. */
  static final class SyncChecksums {
    @Advice.OnMethodEnter(suppress = Throwable.class)
    static void enter(
        @Advice.This ReplicaOutputStreams streams,
        @Advice.FieldValue("checksumOut") OutputStream checksums)
        throws IOException {
      if (checksums instanceof FileOutputStream) {
        FileDescriptor file = ((FileOutputStream) checksums).getFD();
        DataNodeWrites.checksumsSync(streams, streams.getOutFd(), file);
      }
    }
  }

  /** Then the data. */
  static final class SyncData {
    @Advice.OnMethodEnter(suppress = Throwable.class)
    static void enter(@Advice.This ReplicaOutputStreams streams) {
      DataNodeWrites.syncBegins(streams, streams.getOutFd());
    }
  }

  /** A sync that a client has asked for has ended; {@code FsDatasetImplHooks} has the other one. */
  static final class Synced {
    @Advice.OnMethodExit(onThrowable = Throwable.class, suppress = Throwable.class)
    static void exit(@Advice.FieldValue("streams") ReplicaOutputStreams streams) {
      DataNodeWrites.syncEnds(streams);
    }
  }
}
