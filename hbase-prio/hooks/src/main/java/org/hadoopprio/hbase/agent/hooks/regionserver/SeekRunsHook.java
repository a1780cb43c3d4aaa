// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.hbase.agent.hooks.regionserver;

import static net.bytebuddy.matcher.ElementMatchers.named;
import static net.bytebuddy.matcher.ElementMatchers.takesNoArguments;

import net.bytebuddy.asm.Advice;
import org.hadoopprio.PriorityScope;
import org.hadoopprio.agent.hooks.HookBase;
import org.hadoopprio.hbase.agent.hooks.HBaseTypes;
import org.hadoopprio.hdfs.client.CarriedWork;
import org.hadoopprio.role.WorkScope;

/** The thread of the pool seeks, at the priority of the call for which it does. */
final class SeekRunsHook extends HookBase {

  SeekRunsHook() {
    super("seek-runs", HBaseTypes.PARALLEL_SEEK_HANDLER, named("process").and(takesNoArguments()));
  }

  static final class SeekRunsAdvice {
    @Advice.OnMethodEnter(suppress = Throwable.class)
    static PriorityScope enter(@Advice.This Object seek) {
      return CarriedWork.runs(seek);
    }

    @Advice.OnMethodExit(onThrowable = Throwable.class, suppress = Throwable.class)
    static void exit(@Advice.Enter PriorityScope scope) {
      WorkScope.close(scope);
    }
  }
}
