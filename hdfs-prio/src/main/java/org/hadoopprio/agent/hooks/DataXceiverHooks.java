// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.agent.hooks;

import static net.bytebuddy.matcher.ElementMatchers.isArray;
import static net.bytebuddy.matcher.ElementMatchers.named;
import static net.bytebuddy.matcher.ElementMatchers.takesArgument;
import static org.hadoopprio.off.AgentModule.DATANODE;
import static org.hadoopprio.off.AgentModule.WORK;

import java.io.OutputStream;
import net.bytebuddy.asm.Advice;
import org.apache.hadoop.hdfs.net.Peer;
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;
import org.apache.hadoop.hdfs.security.token.block.BlockTokenIdentifier;
import org.apache.hadoop.hdfs.server.datanode.DataNode;
import org.apache.hadoop.security.token.Token;
import org.hadoopprio.IoRole;
import org.hadoopprio.PriorityScope;
import org.hadoopprio.hdfs.datanode.DataNodeReads;
import org.hadoopprio.hdfs.datanode.DataNodeRequest;
import org.hadoopprio.hdfs.datanode.DataNodeWrites;
import org.hadoopprio.role.WorkScope;

/** A DataNode's thread for one connection. */
public final class DataXceiverHooks extends TypeHooks {

  public static final String DATA_XCEIVER = "org.apache.hadoop.hdfs.server.datanode.DataXceiver";

  public DataXceiverHooks() {
    in(DATA_XCEIVER);
    hook(DATANODE, "read-block", named("readBlock"), "Read");
    hook(DATANODE, "block-checksum", named("blockChecksum"), "Checksum");
    hook(DATANODE, "group-checksum", named("blockGroupChecksum"), "GroupChecksum");
    hook(DATANODE, "write-block", named("writeBlock"), "Write");
    hook(DATANODE, "transfer-block", named("transferBlock"), "Transfer");
    // The overload without types of storage calls this one, which compares the token's signature.
    hook(
        DATANODE,
        "check-access",
        named("checkAccess").and(takesArgument(6, isArray())),
        "CheckAccess");
    hook(WORK, "copy-block", named("copyBlock"), "Copy");
  }

  /**
   * A DataXceiver begins a read, and ends it; {@link CheckAccess} is between. A read that is
   * refused because it would be late ends as one that is answered: the connection stays in use. So
   * does one whose client is gone.
   */
  static final class Read {
    @Advice.OnMethodEnter(suppress = Throwable.class)
    static void enter(
        @Advice.FieldValue("datanode") DataNode dataNode,
        @Advice.FieldValue("peer") Peer peer,
        @Advice.Argument(0) ExtendedBlock block,
        @Advice.Argument(2) String clientName,
        @Advice.Argument(3) long offset,
        @Advice.Argument(4) long length,
        @Advice.Argument(5) boolean checksums) {
      DataNodeReads.readBegins(
          clientName, offset, length, checksums, DataNodeRequest.isTokenChecked(dataNode, block));
      // After that: what fails here must not fail the read.
      DataNodeReads.readComesBy(peer);
    }

    @Advice.OnMethodExit(onThrowable = Throwable.class, suppress = Throwable.class)
    static void exit(
        @Advice.FieldValue("socketOut") OutputStream out,
        @Advice.Thrown(readOnly = false) Throwable failure) {
      failure = DataNodeReads.readEnded(failure, out);
      DataNodeReads.finishRead();
    }
  }

  /**
   * A DataXceiver begins to compute the checksum of a block, and ends it; {@link CheckAccess} is
   * between.
   */
  static final class Checksum {
    @Advice.OnMethodEnter(suppress = Throwable.class)
    static void enter(
        @Advice.FieldValue("datanode") DataNode dataNode, @Advice.Argument(0) ExtendedBlock block) {
      DataNodeReads.checksumBegins(DataNodeRequest.isTokenChecked(dataNode, block));
    }

    @Advice.OnMethodExit(onThrowable = Throwable.class, suppress = Throwable.class)
    static void exit() {
      DataNodeReads.finishRead();
    }
  }

  /**
   * A DataXceiver computes the checksum of an erasure-coded block group: it asks the DataNodes that
   * have the blocks, and reads nothing itself.
   */
  static final class GroupChecksum {
    @Advice.OnMethodEnter(suppress = Throwable.class)
    static PriorityScope enter(@Advice.FieldValue("datanode") DataNode dataNode) {
      return DataNodeReads.groupChecksumBegins(dataNode.getConf());
    }

    @Advice.OnMethodExit(onThrowable = Throwable.class, suppress = Throwable.class)
    static void exit(@Advice.Enter PriorityScope scope) {
      WorkScope.close(scope);
    }
  }

  /**
   * A DataXceiver begins a write, and ends it; {@link CheckAccess} and {@link
   * BlockReceiverHooks.Receive} are between.
   */
  static final class Write {
    @Advice.OnMethodEnter(suppress = Throwable.class)
    static void enter(
        @Advice.FieldValue("datanode") DataNode dataNode,
        @Advice.Argument(0) ExtendedBlock block,
        @Advice.Argument(3) String clientName) {
      DataNodeWrites.writeBegins(
          dataNode.getConf(), clientName, DataNodeRequest.isTokenChecked(dataNode, block));
    }

    @Advice.OnMethodExit(onThrowable = Throwable.class, suppress = Throwable.class)
    static void exit() {
      DataNodeWrites.finishWrite();
    }
  }

  /**
   * A client goes on with a pipeline in which a DataNode has failed: it has this one send the
   * replica to a new one. {@link DataTransferHooks.Made} is between begin and end.
   */
  static final class Transfer {
    @Advice.OnMethodEnter(suppress = Throwable.class)
    static void enter(
        @Advice.FieldValue("datanode") DataNode dataNode,
        @Advice.Argument(0) ExtendedBlock block,
        @Advice.Argument(2) String clientName) {
      DataNodeWrites.writeBegins(
          dataNode.getConf(), clientName, DataNodeRequest.isTokenChecked(dataNode, block));
    }

    @Advice.OnMethodExit(onThrowable = Throwable.class, suppress = Throwable.class)
    static void exit() {
      DataNodeWrites.finishWrite();
    }
  }

  /**
   * The client has shown that it may read or write the block: gives the DataXceiver's thread the
   * priority of a read, before the block's files are opened. Not before: a forged block token would
   * use up the rate of the user whom it names.
   */
  static final class CheckAccess {
    @Advice.OnMethodExit(onThrowable = Throwable.class, suppress = Throwable.class)
    static void exit(
        @Advice.FieldValue("datanode") DataNode dataNode,
        @Advice.Argument(2) ExtendedBlock block,
        @Advice.Argument(3) Token<BlockTokenIdentifier> token,
        @Advice.FieldValue("remoteAddress") String peer,
        @Advice.Thrown(readOnly = false) Throwable failure) {
      // A check that fails throws. A read that is refused ends as one that the client must not do.
      if (failure == null) {
        failure = DataNodeReads.accessChecked(dataNode, block, token, peer);
        DataNodeWrites.accessChecked(token, peer);
      }
    }
  }

  /** The balancer has another DataNode copy a replica from here. */
  static final class Copy {
    @Advice.OnMethodEnter(suppress = Throwable.class)
    static void enter(
        @Advice.FieldValue("datanode") DataNode dataNode, @Advice.Argument(0) ExtendedBlock block) {
      DataNodeReads.workBegins(IoRole.BALANCER, dataNode, block);
    }

    @Advice.OnMethodExit(onThrowable = Throwable.class, suppress = Throwable.class)
    static void exit() {
      DataNodeReads.finishRead();
    }
  }
}
