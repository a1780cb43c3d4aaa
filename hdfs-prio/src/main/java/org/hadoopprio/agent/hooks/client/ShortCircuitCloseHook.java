// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.agent.hooks.client;

import static net.bytebuddy.matcher.ElementMatchers.named;
import static net.bytebuddy.matcher.ElementMatchers.takesNoArguments;

import net.bytebuddy.asm.Advice;
import org.apache.hadoop.hdfs.BlockReader;
import org.hadoopprio.agent.hooks.HadoopTypes;
import org.hadoopprio.agent.hooks.HookBase;
import org.hadoopprio.hdfs.client.ShortCircuitReads;

/**
 * The end of a block reader. Each positioned read has one of its own, and what is known of them
 * must not wait for the garbage collector.
 */
final class ShortCircuitCloseHook extends HookBase {

  ShortCircuitCloseHook() {
    super(
        "short-circuit-close",
        HadoopTypes.BLOCK_READER_LOCAL,
        named("close").and(takesNoArguments()));
  }

  static final class ShortCircuitCloseAdvice {
    @Advice.OnMethodEnter(suppress = Throwable.class)
    static void enter(@Advice.This BlockReader reader) {
      ShortCircuitReads.closed(reader);
    }
  }
}
