// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.hbase.agent.hooks;

import static net.bytebuddy.matcher.ElementMatchers.named;
import static net.bytebuddy.matcher.ElementMatchers.takesArgument;
import static org.hadoopprio.off.AgentModule.REGION_WORK;

import net.bytebuddy.asm.Advice;
import org.hadoopprio.IoRole;
import org.hadoopprio.PriorityScope;
import org.hadoopprio.agent.hooks.TypeHooks;
import org.hadoopprio.hbase.delegate.RoleScopes;
import org.hadoopprio.role.WorkScope;

/** A region. */
public final class HRegionHooks extends TypeHooks {

  public static final String HREGION = "org.apache.hadoop.hbase.regionserver.HRegion";

  public HRegionHooks() {
    in(HREGION);
    // The shorter overload calls this one.
    hook(
        REGION_WORK,
        "bulk-load",
        named("bulkLoadHFiles").and(takesArgument(3, boolean.class)),
        "BulkLoad");
    hook(REGION_WORK, "replay-edits", named("replayRecoveredEdits"), "ReplayEdits");
  }

  /** Store files that a client has made are checked, and opened in a region. */
  static final class BulkLoad {
    @Advice.OnMethodEnter(suppress = Throwable.class)
    static PriorityScope enter() {
      return RoleScopes.open(IoRole.BULK_LOAD);
    }

    @Advice.OnMethodExit(onThrowable = Throwable.class, suppress = Throwable.class)
    static void exit(@Advice.Enter PriorityScope scope) {
      WorkScope.close(scope);
    }
  }

  /** A region that is opened reads its part of a write-ahead log. */
  static final class ReplayEdits {
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
