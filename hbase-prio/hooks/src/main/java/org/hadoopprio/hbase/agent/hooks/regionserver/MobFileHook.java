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

/** A file of large values is opened, which reads it, under a lock for all who want that file. */
final class MobFileHook extends HookBase {

  MobFileHook() {
    super("mob-file", HBaseTypes.MOB_FILE_CACHE, named("openFile").and(isPublic()));
  }

  static final class MobFileAdvice {
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
