// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.hbase.agent.hooks.regionserver;

import static net.bytebuddy.matcher.ElementMatchers.named;
import static net.bytebuddy.matcher.ElementMatchers.takesNoArguments;

import net.bytebuddy.asm.Advice;
import net.bytebuddy.description.method.MethodDescription;
import net.bytebuddy.matcher.ElementMatcher;
import org.hadoopprio.PriorityScope;
import org.hadoopprio.agent.hooks.Hook;
import org.hadoopprio.hbase.agent.hooks.HBaseTypes;
import org.hadoopprio.hdfs.client.CarriedWork;
import org.hadoopprio.role.WorkScope;

/** The thread of the pool seeks, at the priority of the call for which it does. */
final class SeekRunsHook implements Hook {

  @Override
  public String name() {
    return "seek-runs";
  }

  @Override
  public String typeName() {
    return HBaseTypes.PARALLEL_SEEK_HANDLER;
  }

  @Override
  public ElementMatcher<? super MethodDescription> methods() {
    return named("process").and(takesNoArguments());
  }

  @Override
  public Class<?> advice() {
    return SeekRunsAdvice.class;
  }

  static final class SeekRunsAdvice {
    private SeekRunsAdvice() {}

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
