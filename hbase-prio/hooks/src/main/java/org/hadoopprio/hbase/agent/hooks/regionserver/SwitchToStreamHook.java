// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.hbase.agent.hooks.regionserver;

import static net.bytebuddy.matcher.ElementMatchers.named;
import static net.bytebuddy.matcher.ElementMatchers.takesNoArguments;

import net.bytebuddy.asm.Advice;
import org.hadoopprio.PriorityScope;
import org.hadoopprio.agent.hooks.HookBase;
import org.hadoopprio.hbase.agent.hooks.HBaseTypes;
import org.hadoopprio.hbase.delegate.ServedCalls;
import org.hadoopprio.role.WorkScope;

/**
 * A long scan changes from positioned reads to a stream. The handler that has served the scan's
 * call does it when the response is ready and no call is current any more; it opens the store files
 * anew and reads a block of each.
 */
final class SwitchToStreamHook extends HookBase {

  SwitchToStreamHook() {
    super(
        "switch-to-stream",
        HBaseTypes.STORE_SCANNER,
        named("trySwitchToStreamRead").and(takesNoArguments()));
  }

  static final class SwitchToStreamAdvice {
    @Advice.OnMethodEnter(suppress = Throwable.class)
    static PriorityScope enter() {
      return ServedCalls.openScan();
    }

    @Advice.OnMethodExit(onThrowable = Throwable.class, suppress = Throwable.class)
    static void exit(@Advice.Enter PriorityScope scope) {
      WorkScope.close(scope);
    }
  }
}
