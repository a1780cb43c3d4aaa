// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.agent.hooks;

import static net.bytebuddy.matcher.ElementMatchers.isConstructor;
import static net.bytebuddy.matcher.ElementMatchers.isSynthetic;
import static net.bytebuddy.matcher.ElementMatchers.named;
import static net.bytebuddy.matcher.ElementMatchers.not;
import static net.bytebuddy.matcher.ElementMatchers.takesNoArguments;
import static org.hadoopprio.off.AgentModule.DATANODE;
import static org.hadoopprio.off.AgentModule.WORK;

import net.bytebuddy.asm.Advice;
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;
import org.apache.hadoop.hdfs.server.datanode.DataNode;
import org.hadoopprio.IoRole;
import org.hadoopprio.PriorityScope;
import org.hadoopprio.hdfs.datanode.DataNodeReads;
import org.hadoopprio.hdfs.datanode.DataNodeWrites;
import org.hadoopprio.role.WorkScope;

/**
 * A DataNode sends a replica to others. The class is private in DataNode, so its objects are {@code
 * Object} here.
 */
public final class DataTransferHooks extends TypeHooks {

  public static final String DATA_TRANSFER =
      "org.apache.hadoop.hdfs.server.datanode.DataNode$DataTransfer";

  public DataTransferHooks() {
    in(DATA_TRANSFER);
    hook(DATANODE, "transfer-made", isConstructor().and(not(isSynthetic())), "Made");
    hook(DATANODE, "transfer-run", named("run").and(takesNoArguments()), "Run");
    hook(WORK, "send-replica", named("run").and(takesNoArguments()), "SendReplica");
  }

  /** A replica is going to be sent to another DataNode, perhaps for a client's write. */
  static final class Made {
    @Advice.OnMethodExit(suppress = Throwable.class)
    static void exit(@Advice.This Object transfer) {
      DataNodeWrites.transferMade(transfer);
    }
  }

  /**
   * A replica is sent to another DataNode: with the priority of the client's write, for a client
   * that goes on with a pipeline in which a DataNode has failed. That is not the DataNode's own
   * work.
   */
  static final class Run {
    @Advice.OnMethodEnter(suppress = Throwable.class)
    static PriorityScope enter(
        @Advice.This Object transfer,
        @Advice.FieldValue("this$0") DataNode dataNode,
        @Advice.FieldValue("b") ExtendedBlock block) {
      DataNodeWrites.transferReads(transfer, dataNode, block);
      return DataNodeWrites.transferRuns(transfer);
    }

    @Advice.OnMethodExit(onThrowable = Throwable.class, suppress = Throwable.class)
    static void exit(@Advice.Enter PriorityScope scope) {
      WorkScope.close(scope);
      DataNodeReads.finishRead();
    }
  }

  /**
   * A replica is sent to other DataNodes because the NameNode wants more of them. For a client it
   * is no work of the DataNode's own: {@link Run} does that.
   */
  static final class SendReplica {
    @Advice.OnMethodEnter(suppress = Throwable.class)
    static void enter(
        @Advice.FieldValue("this$0") DataNode dataNode,
        @Advice.FieldValue("b") ExtendedBlock block,
        @Advice.FieldValue("clientname") String clientName) {
      if (clientName.isEmpty()) {
        DataNodeReads.sendBegins(IoRole.RE_REPLICATION, dataNode, block);
      }
    }

    @Advice.OnMethodExit(onThrowable = Throwable.class, suppress = Throwable.class)
    static void exit(@Advice.FieldValue("clientname") String clientName) {
      if (clientName.isEmpty()) {
        DataNodeReads.finishRead();
      }
    }
  }
}
