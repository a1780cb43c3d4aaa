// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.agent.hooks.latereads;

import static net.bytebuddy.matcher.ElementMatchers.named;
import static net.bytebuddy.matcher.ElementMatchers.takesArguments;

import java.io.IOException;
import net.bytebuddy.asm.Advice;
import net.bytebuddy.description.method.MethodDescription;
import net.bytebuddy.matcher.ElementMatcher;
import org.hadoopprio.agent.hooks.HadoopTypes;
import org.hadoopprio.agent.hooks.HookBase;
import org.hadoopprio.hdfs.client.LateReads;

/**
 * A read from a DataNode has failed. The method is the first to see why, in all that read from one;
 * it throws if the thread was interrupted.
 */
final class ReadFailedHook extends HookBase {

  ReadFailedHook() {
    super("read-failed", HadoopTypes.DFS_INPUT_STREAM);
  }

  @Override
  public ElementMatcher<? super MethodDescription> methods() {
    return named("checkInterrupted").and(takesArguments(IOException.class));
  }

  static final class ReadFailedAdvice {
    @Advice.OnMethodEnter(suppress = Throwable.class)
    static void enter(@Advice.Argument(0) IOException failure) {
      LateReads.failed(failure);
    }
  }
}
