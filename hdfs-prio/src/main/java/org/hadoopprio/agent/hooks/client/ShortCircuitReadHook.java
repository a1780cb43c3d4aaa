// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.agent.hooks.client;

import static net.bytebuddy.matcher.ElementMatchers.isPublic;
import static net.bytebuddy.matcher.ElementMatchers.named;

import java.util.Map;
import net.bytebuddy.asm.Advice;
import org.apache.hadoop.hdfs.BlockReader;
import org.apache.hadoop.hdfs.shortcircuit.ShortCircuitReplica;
import org.hadoopprio.agent.hooks.HadoopTypes;
import org.hadoopprio.agent.hooks.HookBase;
import org.hadoopprio.hdfs.client.ShortCircuitReads;

/**
 * A short-circuit read: the calling thread reads the block file itself, without the DataNode, and
 * so sets its own priority and gives its turn back at the end. Reads of a memory-mapped block
 * (zero-copy) fault pages outside any call and are not covered.
 */
final class ShortCircuitReadHook extends HookBase {

  ShortCircuitReadHook() {
    super("short-circuit-read", HadoopTypes.BLOCK_READER_LOCAL, named("read").and(isPublic()));
  }

  private static final String REPLICA = "replica";

  /** One reads into a buffer, the other into an array. */
  @Override
  public int methodCount() {
    return 2;
  }

  @Override
  public Map<String, String> fields() {
    return Map.of(REPLICA, HadoopTypes.SHORT_CIRCUIT_REPLICA);
  }

  static final class ShortCircuitReadAdvice {
    @Advice.OnMethodEnter(suppress = Throwable.class)
    static int enter(
        @Advice.This BlockReader reader, @Advice.FieldValue(REPLICA) ShortCircuitReplica replica) {
      return ShortCircuitReads.enter(reader, replica);
    }

    @Advice.OnMethodExit(onThrowable = Throwable.class, suppress = Throwable.class)
    static void exit(@Advice.Enter int applied) {
      ShortCircuitReads.leave(applied);
    }
  }
}
