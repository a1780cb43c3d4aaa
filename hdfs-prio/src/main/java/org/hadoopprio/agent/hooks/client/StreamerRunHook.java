// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.agent.hooks.client;

import static net.bytebuddy.matcher.ElementMatchers.named;
import static net.bytebuddy.matcher.ElementMatchers.takesNoArguments;

import net.bytebuddy.asm.Advice;
import net.bytebuddy.description.method.MethodDescription;
import net.bytebuddy.matcher.ElementMatcher;
import org.hadoopprio.PriorityScope;
import org.hadoopprio.agent.hooks.HadoopTypes;
import org.hadoopprio.agent.hooks.Hook;
import org.hadoopprio.hdfs.client.ClientWrites;
import org.hadoopprio.role.WorkScope;

/** The thread of a streamer works at the priority with which its file was opened for writing. */
final class StreamerRunHook implements Hook {

  @Override
  public String name() {
    return "streamer-run";
  }

  @Override
  public String typeName() {
    return HadoopTypes.DATA_STREAMER;
  }

  /** Hadoop 3.5 calls it {@code work}. */
  @Override
  public ElementMatcher<? super MethodDescription> methods() {
    return named("run").or(named("work")).and(takesNoArguments());
  }

  @Override
  public Class<?> advice() {
    return StreamerRunAdvice.class;
  }

  static final class StreamerRunAdvice {
    private StreamerRunAdvice() {}

    // Object, because DataStreamer is private to its package.
    @Advice.OnMethodEnter(suppress = Throwable.class)
    static PriorityScope enter(@Advice.This Object streamer) {
      return ClientWrites.streamerRuns(streamer);
    }

    @Advice.OnMethodExit(onThrowable = Throwable.class, suppress = Throwable.class)
    static void exit(@Advice.Enter PriorityScope scope) {
      WorkScope.close(scope);
    }
  }
}
