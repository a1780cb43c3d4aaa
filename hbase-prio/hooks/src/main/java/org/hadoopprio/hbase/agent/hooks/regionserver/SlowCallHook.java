// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.hbase.agent.hooks.regionserver;

import static net.bytebuddy.matcher.ElementMatchers.named;
import static net.bytebuddy.matcher.ElementMatchers.takesArgument;

import net.bytebuddy.asm.Advice;
import net.bytebuddy.description.method.MethodDescription;
import net.bytebuddy.matcher.ElementMatcher;
import org.hadoopprio.agent.hooks.HookBase;
import org.hadoopprio.hbase.agent.hooks.HBaseTypes;
import org.hadoopprio.hbase.delegate.ServedCalls;

/** Adds the priority of a call, if it has one, to HBase's log line about a slow or large call. */
final class SlowCallHook extends HookBase {

  SlowCallHook() {
    super("slow-call", HBaseTypes.RPC_SERVER);
  }

  @Override
  public ElementMatcher<? super MethodDescription> methods() {
    return named("logResponse")
        .and(takesArgument(1, String.class))
        .and(takesArgument(2, String.class));
  }

  static final class SlowCallAdvice {
    @Advice.OnMethodEnter(suppress = Throwable.class)
    static void enter(@Advice.Argument(value = 2, readOnly = false) String call) {
      call = ServedCalls.describe(call);
    }
  }
}
