// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.agent.hooks.datanode;

import static net.bytebuddy.matcher.ElementMatchers.named;
import static net.bytebuddy.matcher.ElementMatchers.takesNoArguments;

import net.bytebuddy.asm.Advice;
import net.bytebuddy.description.method.MethodDescription;
import net.bytebuddy.matcher.ElementMatcher;
import org.hadoopprio.PriorityScope;
import org.hadoopprio.agent.hooks.HadoopTypes;
import org.hadoopprio.agent.hooks.Hook;
import org.hadoopprio.hdfs.datanode.DataNodeWrites;
import org.hadoopprio.role.WorkScope;

/** A replica is sent to another DataNode, with the priority of the client's write. */
final class TransferRunHook implements Hook {

  @Override
  public String name() {
    return "transfer-run";
  }

  @Override
  public String typeName() {
    return HadoopTypes.DATA_TRANSFER;
  }

  @Override
  public ElementMatcher<? super MethodDescription> methods() {
    return named("run").and(takesNoArguments());
  }

  @Override
  public Class<?> advice() {
    return TransferRunAdvice.class;
  }

  static final class TransferRunAdvice {
    private TransferRunAdvice() {}

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
