// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.agent.hooks.latereads;

import static net.bytebuddy.matcher.ElementMatchers.named;
import static net.bytebuddy.matcher.ElementMatchers.takesArguments;

import java.io.IOException;
import net.bytebuddy.asm.Advice;
import net.bytebuddy.description.method.MethodDescription;
import net.bytebuddy.matcher.ElementMatcher;
import org.hadoopprio.agent.hooks.HadoopTypes;
import org.hadoopprio.agent.hooks.Hook;
import org.hadoopprio.hdfs.client.LateReads;

/**
 * A read from a DataNode has failed. The method is the first to see why, in all that read from one;
 * it throws if the thread was interrupted.
 */
final class ReadFailedHook implements Hook {

  @Override
  public String name() {
    return "read-failed";
  }

  @Override
  public String typeName() {
    return HadoopTypes.DFS_INPUT_STREAM;
  }

  @Override
  public ElementMatcher<? super MethodDescription> methods() {
    return named("checkInterrupted").and(takesArguments(IOException.class));
  }

  @Override
  public Class<?> advice() {
    return ReadFailedAdvice.class;
  }

  static final class ReadFailedAdvice {
    private ReadFailedAdvice() {}

    @Advice.OnMethodEnter(suppress = Throwable.class)
    static void enter(@Advice.Argument(0) IOException failure) {
      LateReads.failed(failure);
    }
  }
}
