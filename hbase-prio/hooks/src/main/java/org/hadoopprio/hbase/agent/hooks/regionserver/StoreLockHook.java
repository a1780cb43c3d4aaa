// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.hbase.agent.hooks.regionserver;

import static net.bytebuddy.matcher.ElementMatchers.isPublic;
import static net.bytebuddy.matcher.ElementMatchers.named;

import net.bytebuddy.asm.Advice;
import org.hadoopprio.PriorityScope;
import org.hadoopprio.agent.hooks.HookBase;
import org.hadoopprio.hbase.agent.hooks.HBaseTypes;
import org.hadoopprio.hbase.delegate.LockedReads;
import org.hadoopprio.role.WorkScope;

/**
 * A store makes a scanner, and holds its read lock while the scanner seeks in all store files. A
 * flush or compaction that waits for the write lock lets no other reader pass.
 */
final class StoreLockHook extends HookBase {

  StoreLockHook() {
    super("store-lock", HBaseTypes.HSTORE, named("getScanner").and(isPublic()));
  }

  static final class StoreLockAdvice {
    @Advice.OnMethodEnter(suppress = Throwable.class)
    static PriorityScope enter() {
      return LockedReads.open();
    }

    @Advice.OnMethodExit(onThrowable = Throwable.class, suppress = Throwable.class)
    static void exit(@Advice.Enter PriorityScope scope) {
      WorkScope.close(scope);
    }
  }
}
