// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.agent.hooks.datanode;

import static net.bytebuddy.matcher.ElementMatchers.named;
import static net.bytebuddy.matcher.ElementMatchers.takesNoArguments;

import net.bytebuddy.asm.Advice;
import org.hadoopprio.PriorityScope;
import org.hadoopprio.agent.hooks.HadoopTypes;
import org.hadoopprio.agent.hooks.HookBase;
import org.hadoopprio.hdfs.datanode.DataNodeWrites;
import org.hadoopprio.role.WorkScope;

/** A replica is sent to another DataNode, with the priority of the client's write. */
final class TransferRunHook extends HookBase {

  TransferRunHook() {
    super("transfer-run", HadoopTypes.DATA_TRANSFER, named("run").and(takesNoArguments()));
  }

  static final class TransferRunAdvice {
    // Object, because DataTransfer is private in DataNode.
    @Advice.OnMethodEnter(suppress = Throwable.class)
    static PriorityScope enter(@Advice.This Object transfer) {
      return DataNodeWrites.transferRuns(transfer);
    }

    @Advice.OnMethodExit(onThrowable = Throwable.class, suppress = Throwable.class)
    static void exit(@Advice.Enter PriorityScope scope) {
      WorkScope.close(scope);
    }
  }
}
