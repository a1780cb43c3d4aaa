// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.hbase.agent.hooks.regionwork;

import static net.bytebuddy.matcher.ElementMatchers.named;
import static net.bytebuddy.matcher.ElementMatchers.takesArgument;

import java.util.Map;
import net.bytebuddy.asm.Advice;
import org.hadoopprio.PriorityScope;
import org.hadoopprio.agent.hooks.HookBase;
import org.hadoopprio.hbase.agent.hooks.HBaseTypes;
import org.hadoopprio.hbase.delegate.RoleScopes;
import org.hadoopprio.role.WorkScope;

/** A compaction reads and writes, on one thread. */
final class CompactHook extends HookBase {

  CompactHook() {
    super(
        "compact",
        HBaseTypes.COMPACTOR,
        named("compact").and(takesArgument(0, named(HBaseTypes.COMPACTION_REQUEST))));
  }

  private static final String STORE = "store";

  @Override
  public Map<String, String> fields() {
    return Map.of(STORE, HBaseTypes.HSTORE);
  }

  static final class CompactAdvice {
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
