// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.agent.hooks.client;

import static net.bytebuddy.matcher.ElementMatchers.named;
import static net.bytebuddy.matcher.ElementMatchers.returns;

import java.util.concurrent.Callable;
import net.bytebuddy.asm.Advice;
import net.bytebuddy.description.method.MethodDescription;
import net.bytebuddy.matcher.ElementMatcher;
import org.hadoopprio.agent.hooks.HadoopTypes;
import org.hadoopprio.agent.hooks.HookBase;
import org.hadoopprio.hdfs.client.ClientReads;

/**
 * Lets the task of a hedged read, which runs on a pool thread, take the caller's priority along.
 * Matched by name and return type because the parameters differ between 3.4 and 3.5.
 */
final class HedgedReadHook extends HookBase {

  HedgedReadHook() {
    super("hedged-read", HadoopTypes.DFS_INPUT_STREAM);
  }

  @Override
  public ElementMatcher<? super MethodDescription> methods() {
    return named("getFromOneDataNode").and(returns(Callable.class));
  }

  static final class HedgedReadAdvice {
    @Advice.OnMethodExit(suppress = Throwable.class)
    static void exit(@Advice.Return(readOnly = false) Callable<?> task) {
      task = ClientReads.carry(task);
    }
  }
}
