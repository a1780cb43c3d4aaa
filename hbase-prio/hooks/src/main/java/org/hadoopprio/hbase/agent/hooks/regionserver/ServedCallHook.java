// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.hbase.agent.hooks.regionserver;

import static net.bytebuddy.matcher.ElementMatchers.named;
import static net.bytebuddy.matcher.ElementMatchers.takesArguments;

import net.bytebuddy.asm.Advice;
import net.bytebuddy.implementation.bytecode.assign.Assigner;
import org.hadoopprio.agent.hooks.HookBase;
import org.hadoopprio.hbase.agent.hooks.HBaseTypes;
import org.hadoopprio.hbase.delegate.ServedCalls;

/**
 * A handler's work on one RPC call, from start to end. RpcServer declares one {@code call} with two
 * parameters, through which a handler serves every call.
 */
final class ServedCallHook extends HookBase {

  ServedCallHook() {
    super("served-call", HBaseTypes.RPC_SERVER, named("call").and(takesArguments(2)));
  }

  static final class ServedCallAdvice {
    @Advice.OnMethodEnter(suppress = Throwable.class)
    static void enter() {
      ServedCalls.callStarted();
    }

    @Advice.OnMethodExit(onThrowable = Throwable.class, suppress = Throwable.class)
    static void exit(@Advice.Return(typing = Assigner.Typing.DYNAMIC) Object result) {
      ServedCalls.callEnded(result);
    }
  }
}
