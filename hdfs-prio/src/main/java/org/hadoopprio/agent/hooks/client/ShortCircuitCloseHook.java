// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.agent.hooks.client;

import static net.bytebuddy.matcher.ElementMatchers.named;
import static net.bytebuddy.matcher.ElementMatchers.takesNoArguments;

import net.bytebuddy.asm.Advice;
import net.bytebuddy.description.method.MethodDescription;
import net.bytebuddy.matcher.ElementMatcher;
import org.apache.hadoop.hdfs.BlockReader;
import org.hadoopprio.agent.hooks.HadoopTypes;
import org.hadoopprio.agent.hooks.Hook;
import org.hadoopprio.hdfs.client.ShortCircuitReads;

/**
 * The end of a block reader. Each positioned read has one of its own, and what is known of them
 * must not wait for the garbage collector.
 */
final class ShortCircuitCloseHook implements Hook {

  @Override
  public String name() {
    return "short-circuit-close";
  }

  @Override
  public String typeName() {
    return HadoopTypes.BLOCK_READER_LOCAL;
  }

  @Override
  public ElementMatcher<? super MethodDescription> methods() {
    return named("close").and(takesNoArguments());
  }

  @Override
  public Class<?> advice() {
    return ShortCircuitCloseAdvice.class;
  }

  static final class ShortCircuitCloseAdvice {
    private ShortCircuitCloseAdvice() {}

    @Advice.OnMethodEnter(suppress = Throwable.class)
    static void enter(@Advice.This BlockReader reader) {
      ShortCircuitReads.closed(reader);
    }
  }
}
