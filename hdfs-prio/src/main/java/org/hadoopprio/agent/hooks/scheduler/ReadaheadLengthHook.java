// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.agent.hooks.scheduler;

import static net.bytebuddy.matcher.ElementMatchers.named;
import static net.bytebuddy.matcher.ElementMatchers.takesArgument;
import static net.bytebuddy.matcher.ElementMatchers.takesArguments;

import net.bytebuddy.asm.Advice;
import net.bytebuddy.description.method.MethodDescription;
import net.bytebuddy.matcher.ElementMatcher;
import org.hadoopprio.agent.hooks.HadoopTypes;
import org.hadoopprio.agent.hooks.HookBase;
import org.hadoopprio.hdfs.datanode.scheduler.ScheduledReads;

/**
 * Keeps a read from using the readahead pool while others use the disk: the pool would read outside
 * of the read's turn. With a length of 0 the pool reads nothing ahead.
 */
final class ReadaheadLengthHook extends HookBase {

  ReadaheadLengthHook() {
    super("readahead-length", HadoopTypes.READAHEAD_POOL);
  }

  @Override
  public ElementMatcher<? super MethodDescription> methods() {
    return named("readaheadStream").and(takesArguments(6)).and(takesArgument(3, long.class));
  }

  static final class ReadaheadLengthAdvice {
    @Advice.OnMethodEnter(suppress = Throwable.class)
    static void enter(@Advice.Argument(value = 3, readOnly = false) long length) {
      length = ScheduledReads.readaheadBytes(length);
    }
  }
}
