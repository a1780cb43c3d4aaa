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
 * A scan that changes to a stream has the store open its files anew, which reads their trailers and
 * indexes under the store's read lock.
 */
final class ReopenFilesHook extends HookBase {

  ReopenFilesHook() {
    super("reopen-files", HBaseTypes.HSTORE, named("recreateScanners").and(isPublic()));
  }

  static final class ReopenFilesAdvice {
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
