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
 * The factory of block readers has failed to make one, and decides whether it tries the same
 * DataNode again on another connection: not if that has said that it would be late.
 */
final class RefusedAnswerHook extends HookBase {

  RefusedAnswerHook() {
    super("late-answer", HadoopTypes.BLOCK_READER_FACTORY);
  }

  @Override
  public ElementMatcher<? super MethodDescription> methods() {
    return named("isSecurityException").and(takesArguments(IOException.class));
  }

  static final class LateAnswerAdvice {
    @Advice.OnMethodExit(suppress = Throwable.class)
    static void exit(
        @Advice.Argument(0) IOException failure, @Advice.Return(readOnly = false) boolean giveUp) {
      giveUp = giveUp || LateReads.isLate(failure);
    }
  }
}
