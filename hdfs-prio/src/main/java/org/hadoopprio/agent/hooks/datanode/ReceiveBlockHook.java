// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.agent.hooks.datanode;

import static net.bytebuddy.matcher.ElementMatchers.named;

import java.util.Map;
import net.bytebuddy.asm.Advice;
import org.apache.hadoop.hdfs.server.datanode.DataNode;
import org.apache.hadoop.hdfs.server.datanode.ReplicaInPipeline;
import org.hadoopprio.agent.hooks.HadoopTypes;
import org.hadoopprio.agent.hooks.HookBase;
import org.hadoopprio.hdfs.datanode.DataNodeWrites;

/**
 * Gives the thread that receives a block the priority of the write as long as it receives. The
 * volume of the replica is known by then, and the PacketResponder is not started yet.
 */
final class ReceiveBlockHook extends HookBase {

  ReceiveBlockHook() {
    super("receive-block", HadoopTypes.BLOCK_RECEIVER, named("receiveBlock"));
  }

  private static final String DATANODE = "datanode";

  @Override
  public Map<String, String> fields() {
    return Map.of(
        DATANODE,
        HadoopTypes.DATANODE,
        HadoopTypes.BLOCK_RECEIVER_REPLICA,
        HadoopTypes.REPLICA_IN_PIPELINE);
  }

  static final class ReceiveBlockAdvice {
    @Advice.OnMethodEnter(suppress = Throwable.class)
    static void enter(
        @Advice.FieldValue(DATANODE) DataNode dataNode,
        @Advice.FieldValue(HadoopTypes.BLOCK_RECEIVER_REPLICA) ReplicaInPipeline replica) {
      DataNodeWrites.receiveBegins(dataNode, replica);
    }

    @Advice.OnMethodExit(onThrowable = Throwable.class, suppress = Throwable.class)
    static void exit(
        @Advice.FieldValue(HadoopTypes.BLOCK_RECEIVER_REPLICA) ReplicaInPipeline replica) {
      DataNodeWrites.receiveEnds(replica);
    }
  }
}
