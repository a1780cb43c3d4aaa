package org.hadoopprio.agent.hooks;

import static net.bytebuddy.matcher.ElementMatchers.named;
import static net.bytebuddy.matcher.ElementMatchers.takesArguments;

import net.bytebuddy.asm.Advice;
import net.bytebuddy.description.method.MethodDescription;
import net.bytebuddy.matcher.ElementMatcher;
import org.hadoopprio.agent.Hook;
import org.hadoopprio.rpc.ServedCalls;

/** A handler's work on one RPC call, from the first byte to the last. */
final class ServedCallHook implements Hook {

  static final String TYPE = "org.apache.hadoop.hbase.ipc.RpcServer";

  @Override
  public String name() {
    return "served-call";
  }

  @Override
  public String typeName() {
    return TYPE;
  }

  @Override
  public ElementMatcher<? super MethodDescription> methods() {
    return named("call").and(takesArguments(2));
  }

  @Override
  public Class<?> advice() {
    return ServedCallAdvice.class;
  }

  static final class ServedCallAdvice {
    private ServedCallAdvice() {}

    @Advice.OnMethodEnter(suppress = Throwable.class)
    static void enter() {
      ServedCalls.begin();
    }

    @Advice.OnMethodExit(onThrowable = Throwable.class, suppress = Throwable.class)
    static void exit() {
      ServedCalls.end();
    }
  }
}
