// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.agent.hooks.client;

import static net.bytebuddy.matcher.ElementMatchers.named;
import static net.bytebuddy.matcher.ElementMatchers.takesNoArguments;

import net.bytebuddy.asm.Advice;
import org.hadoopprio.PriorityScope;
import org.hadoopprio.agent.hooks.HadoopTypes;
import org.hadoopprio.agent.hooks.HookBase;
import org.hadoopprio.hdfs.client.ClientWrites;
import org.hadoopprio.role.WorkScope;

/** The thread of a streamer works at the priority with which its file was opened for writing. */
final class StreamerRunHook extends HookBase {

  /** Hadoop 3.5 calls it {@code work}. */
  StreamerRunHook() {
    super(
        "streamer-run",
        HadoopTypes.DATA_STREAMER,
        named("run").or(named("work")).and(takesNoArguments()));
  }

  static final class StreamerRunAdvice {
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
