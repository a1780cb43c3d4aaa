// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.agent.hooks.datanode;

import static net.bytebuddy.matcher.ElementMatchers.named;
import static net.bytebuddy.matcher.ElementMatchers.takesNoArguments;

import java.util.Map;
import net.bytebuddy.asm.Advice;
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;
import org.apache.hadoop.hdfs.server.datanode.DataNode;
import org.hadoopprio.PriorityScope;
import org.hadoopprio.agent.hooks.HadoopTypes;
import org.hadoopprio.agent.hooks.HookBase;
import org.hadoopprio.hdfs.datanode.DataNodeReads;
import org.hadoopprio.hdfs.datanode.DataNodeWrites;
import org.hadoopprio.role.WorkScope;

/**
 * A replica is sent to another DataNode: with the priority of the client's write, for a client that
 * goes on with a pipeline in which a DataNode has failed. That is not the DataNode's own work.
 */
final class TransferRunHook extends HookBase {

  TransferRunHook() {
    super("transfer-run", HadoopTypes.DATA_TRANSFER, named("run").and(takesNoArguments()));
  }

  private static final String DATANODE = "this$0";
  private static final String BLOCK = "b";

  @Override
  public Map<String, String> fields() {
    return Map.of(DATANODE, HadoopTypes.DATANODE, BLOCK, HadoopTypes.EXTENDED_BLOCK);
  }

  static final class TransferRunAdvice {
    // Object, because DataTransfer is private in DataNode.
    @Advice.OnMethodEnter(suppress = Throwable.class)
    static PriorityScope enter(
        @Advice.This Object transfer,
        @Advice.FieldValue(DATANODE) DataNode dataNode,
        @Advice.FieldValue(BLOCK) ExtendedBlock block) {
      DataNodeWrites.transferReads(transfer, dataNode, block);
      return DataNodeWrites.transferRuns(transfer);
    }

    @Advice.OnMethodExit(onThrowable = Throwable.class, suppress = Throwable.class)
    static void exit(@Advice.Enter PriorityScope scope) {
      WorkScope.close(scope);
      DataNodeReads.finishRead();
    }
  }
}
