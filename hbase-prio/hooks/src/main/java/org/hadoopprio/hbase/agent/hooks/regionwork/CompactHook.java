// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.hbase.agent.hooks.regionwork;

import static net.bytebuddy.matcher.ElementMatchers.named;
import static net.bytebuddy.matcher.ElementMatchers.takesArgument;

import java.util.Map;
import net.bytebuddy.asm.Advice;
import net.bytebuddy.description.method.MethodDescription;
import net.bytebuddy.matcher.ElementMatcher;
import org.hadoopprio.PriorityScope;
import org.hadoopprio.agent.hooks.Hook;
import org.hadoopprio.hbase.agent.hooks.HBaseTypes;
import org.hadoopprio.hbase.delegate.RoleScopes;
import org.hadoopprio.role.WorkScope;

/** A compaction reads and writes, on one thread. */
final class CompactHook implements Hook {

  private static final String STORE = "store";

  @Override
  public String name() {
    return "compact";
  }

  @Override
  public String typeName() {
    return HBaseTypes.COMPACTOR;
  }

  @Override
  public ElementMatcher<? super MethodDescription> methods() {
    return named("compact").and(takesArgument(0, named(HBaseTypes.COMPACTION_REQUEST)));
  }

  @Override
  public Map<String, String> fields() {
    return Map.of(STORE, HBaseTypes.HSTORE);
  }

  @Override
  public Class<?> advice() {
    return CompactAdvice.class;
  }

  static final class CompactAdvice {
    private CompactAdvice() {}

    @Advice.OnMethodEnter(suppress = Throwable.class)
    static PriorityScope enter(
        @Advice.FieldValue(STORE) Object store, @Advice.Argument(0) Object request) {
      return RoleScopes.openCompaction(store, request);
    }

    @Advice.OnMethodExit(onThrowable = Throwable.class, suppress = Throwable.class)
    static void exit(@Advice.Enter PriorityScope scope) {
      WorkScope.close(scope);
    }
  }
}
