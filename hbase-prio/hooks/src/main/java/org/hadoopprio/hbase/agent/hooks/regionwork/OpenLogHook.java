// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.hbase.agent.hooks.regionwork;

import static net.bytebuddy.matcher.ElementMatchers.named;

import net.bytebuddy.asm.Advice;
import net.bytebuddy.description.method.MethodDescription;
import net.bytebuddy.matcher.ElementMatcher;
import org.hadoopprio.PriorityScope;
import org.hadoopprio.agent.hooks.Hook;
import org.hadoopprio.hbase.agent.hooks.HBaseTypes;
import org.hadoopprio.hbase.delegate.RoleScopes;
import org.hadoopprio.role.WorkScope;

/** A write-ahead log is opened for writing with the HDFS client ({@code filesystem} provider). */
final class OpenLogHook implements Hook {

  @Override
  public String name() {
    return "open-log";
  }

  @Override
  public String typeName() {
    return HBaseTypes.PROTOBUF_LOG_WRITER;
  }

  @Override
  public ElementMatcher<? super MethodDescription> methods() {
    return named("initOutput");
  }

  @Override
  public Class<?> advice() {
    return OpenLogAdvice.class;
  }

  static final class OpenLogAdvice {
    private OpenLogAdvice() {}

    @Advice.OnMethodEnter(suppress = Throwable.class)
    static PriorityScope enter() {
      return RoleScopes.openLog();
    }

    @Advice.OnMethodExit(onThrowable = Throwable.class, suppress = Throwable.class)
    static void exit(@Advice.Enter PriorityScope scope) {
      WorkScope.close(scope);
    }
  }
}
