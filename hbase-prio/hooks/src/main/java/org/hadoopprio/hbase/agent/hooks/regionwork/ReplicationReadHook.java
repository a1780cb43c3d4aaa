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

/** The next entry of a write-ahead log is read for replication, and the log opened for it. */
final class ReplicationReadHook implements Hook {

  @Override
  public String name() {
    return "replication-read";
  }

  @Override
  public String typeName() {
    return HBaseTypes.WAL_ENTRY_STREAM;
  }

  @Override
  public ElementMatcher<? super MethodDescription> methods() {
    return named("hasNext").and(takesNoArguments());
  }

  @Override
  public Class<?> advice() {
    return ReplicationReadAdvice.class;
  }

  static final class ReplicationReadAdvice {
    private ReplicationReadAdvice() {}

    @Advice.OnMethodEnter(suppress = Throwable.class)
    static PriorityScope enter() {
      return RoleScopes.open(IoRole.REPLICATION_SOURCE);
    }

    @Advice.OnMethodExit(onThrowable = Throwable.class, suppress = Throwable.class)
    static void exit(@Advice.Enter PriorityScope scope) {
      WorkScope.close(scope);
    }
  }
}
