// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.hbase.agent.hooks;

import static net.bytebuddy.matcher.ElementMatchers.named;
import static net.bytebuddy.matcher.ElementMatchers.takesArgument;
import static net.bytebuddy.matcher.ElementMatchers.takesArguments;
import static org.hadoopprio.off.AgentModule.REGIONSERVER;

import net.bytebuddy.asm.Advice;
import net.bytebuddy.implementation.bytecode.assign.Assigner;
import org.hadoopprio.agent.hooks.TypeHooks;
import org.hadoopprio.hbase.delegate.ServedCalls;

/** The RPC server of a RegionServer. */
public final class RpcServerHooks extends TypeHooks {

  public static final String RPC_SERVER = "org.apache.hadoop.hbase.ipc.RpcServer";

  public RpcServerHooks() {
    in(RPC_SERVER);
    // The only one with two parameters, through which a handler serves every call.
    hook(REGIONSERVER, "served-call", named("call").and(takesArguments(2)), "Served");
    hook(
        REGIONSERVER,
        "slow-call",
        named("logResponse").and(takesArgument(1, String.class)),
        "Slow");
  }

  /** A handler's work on one RPC call, from start to end. */
  static final class Served {
    @Advice.OnMethodEnter(suppress = Throwable.class)
    static void enter() {
      ServedCalls.callStarted();
    }

    @Advice.OnMethodExit(onThrowable = Throwable.class, suppress = Throwable.class)
    static void exit(@Advice.Return(typing = Assigner.Typing.DYNAMIC) Object result) {
      ServedCalls.callEnded(result);
    }
  }

  /** Adds the priority of a call, if it has one, to HBase's log line about a slow or large call. */
  static final class Slow {
    @Advice.OnMethodEnter(suppress = Throwable.class)
    static void enter(@Advice.Argument(value = 2, readOnly = false) String call) {
      call = ServedCalls.describe(call);
    }
  }
}
