// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.hbase.agent.hooks.regionwork;

import static net.bytebuddy.matcher.ElementMatchers.named;
import static net.bytebuddy.matcher.ElementMatchers.takesNoArguments;

import net.bytebuddy.asm.Advice;
import net.bytebuddy.description.method.MethodDescription;
import net.bytebuddy.matcher.ElementMatcher;
import org.hadoopprio.IoRole;
import org.hadoopprio.PriorityScope;
import org.hadoopprio.agent.hooks.Hook;
import org.hadoopprio.hbase.agent.hooks.HBaseTypes;
import org.hadoopprio.hbase.delegate.RoleScopes;
import org.hadoopprio.role.WorkScope;

/** A thread writes what comes from a write-ahead log that is divided. */
final class WriteSplitHook implements Hook {

  @Override
  public String name() {
    return "write-split";
  }

  @Override
  public String typeName() {
    return HBaseTypes.WAL_SPLIT_WRITER;
  }

  @Override
  public ElementMatcher<? super MethodDescription> methods() {
    return named("run").and(takesNoArguments());
  }

  @Override
  public Class<?> advice() {
    return WriteSplitAdvice.class;
  }

  static final class WriteSplitAdvice {
    private WriteSplitAdvice() {}

    @Advice.OnMethodEnter(suppress = Throwable.class)
    static PriorityScope enter() {
      return RoleScopes.open(IoRole.WAL_RECOVERY);
    }

    @Advice.OnMethodExit(onThrowable = Throwable.class, suppress = Throwable.class)
    static void exit(@Advice.Enter PriorityScope scope) {
      WorkScope.close(scope);
    }
  }
}
