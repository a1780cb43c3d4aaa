// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.hbase.agent.hooks.regionwork;

import static net.bytebuddy.matcher.ElementMatchers.named;
import static net.bytebuddy.matcher.ElementMatchers.takesArguments;

import net.bytebuddy.asm.Advice;
import net.bytebuddy.description.method.MethodDescription;
import net.bytebuddy.matcher.ElementMatcher;
import org.hadoopprio.IoRole;
import org.hadoopprio.PriorityScope;
import org.hadoopprio.agent.hooks.Hook;
import org.hadoopprio.hbase.agent.hooks.HBaseTypes;
import org.hadoopprio.hbase.delegate.RoleScopes;
import org.hadoopprio.role.WorkScope;

/** A write-ahead log is read, to divide it among regions. */
final class SplitLogHook implements Hook {

  @Override
  public String name() {
    return "split-log";
  }

  @Override
  public String typeName() {
    return HBaseTypes.WAL_SPLITTER;
  }

  @Override
  public ElementMatcher<? super MethodDescription> methods() {
    return named("splitWAL").and(takesArguments(2));
  }

  @Override
  public Class<?> advice() {
    return SplitLogAdvice.class;
  }

  static final class SplitLogAdvice {
    private SplitLogAdvice() {}

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
