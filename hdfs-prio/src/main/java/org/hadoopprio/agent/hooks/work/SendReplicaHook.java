// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.agent.hooks.work;

import static net.bytebuddy.matcher.ElementMatchers.named;
import static net.bytebuddy.matcher.ElementMatchers.takesNoArguments;

import java.util.Map;
import net.bytebuddy.asm.Advice;
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;
import org.apache.hadoop.hdfs.server.datanode.DataNode;
import org.hadoopprio.IoRole;
import org.hadoopprio.agent.hooks.HadoopTypes;
import org.hadoopprio.agent.hooks.HookBase;
import org.hadoopprio.hdfs.datanode.DataNodeReads;

/** A replica is sent to other DataNodes because the NameNode wants more of them. */
final class SendReplicaHook extends HookBase {

  SendReplicaHook() {
    super("send-replica", HadoopTypes.DATA_TRANSFER, named("run").and(takesNoArguments()));
  }

  private static final String DATANODE = "this$0";
  private static final String BLOCK = "b";
  private static final String CLIENT_NAME = "clientname";

  @Override
  public Map<String, String> fields() {
    return Map.of(
        DATANODE, HadoopTypes.DATANODE,
        BLOCK, HadoopTypes.EXTENDED_BLOCK,
        CLIENT_NAME, "java.lang.String");
  }

  static final class SendReplicaAdvice {
    @Advice.OnMethodEnter(suppress = Throwable.class)
    static void enter(
        @Advice.FieldValue(DATANODE) DataNode dataNode,
        @Advice.FieldValue(BLOCK) ExtendedBlock block,
        @Advice.FieldValue(CLIENT_NAME) String clientName) {
      // For a client it is no work of the DataNode's own: a hook of module datanode does that.
      if (clientName.isEmpty()) {
        DataNodeReads.sendBegins(IoRole.RE_REPLICATION, dataNode, block);
      }
    }

    @Advice.OnMethodExit(onThrowable = Throwable.class, suppress = Throwable.class)
    static void exit(@Advice.FieldValue(CLIENT_NAME) String clientName) {
      if (clientName.isEmpty()) {
        DataNodeReads.finishRead();
      }
    }
  }
}
