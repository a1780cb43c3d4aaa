// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.agent.hooks.client;

import static net.bytebuddy.matcher.ElementMatchers.named;
import static net.bytebuddy.matcher.ElementMatchers.takesArguments;

import java.util.Map;
import net.bytebuddy.asm.Advice;
import org.apache.hadoop.hdfs.BlockReader;
import org.apache.hadoop.hdfs.DFSClient;
import org.hadoopprio.IoPriority;
import org.hadoopprio.agent.hooks.HadoopTypes;
import org.hadoopprio.agent.hooks.HookBase;
import org.hadoopprio.hdfs.client.ClientReads;

/**
 * A sequential read. If the priority has changed since the block was opened, this hook makes the
 * stream reopen it, as a seek does, by resetting the end of the current block. All sequential
 * {@code read} methods of the stream call {@code readWithStrategy}, which has no overload with one
 * parameter.
 */
final class SequentialReadHook extends HookBase {

  SequentialReadHook() {
    super(
        "sequential-read",
        HadoopTypes.DFS_INPUT_STREAM,
        named("readWithStrategy").and(takesArguments(1)));
  }

  private static final String BLOCK_READER = "blockReader";

  @Override
  public Map<String, String> fields() {
    return Map.of(
        HadoopTypes.DFS_INPUT_STREAM_CLIENT,
        HadoopTypes.DFS_CLIENT,
        BLOCK_READER,
        HadoopTypes.BLOCK_READER,
        HadoopTypes.DFS_INPUT_STREAM_BLOCK_END,
        "long");
  }

  static final class SequentialReadAdvice {
    @Advice.OnMethodEnter(suppress = Throwable.class)
    static IoPriority enter(
        @Advice.FieldValue(HadoopTypes.DFS_INPUT_STREAM_CLIENT) DFSClient client,
        @Advice.FieldValue(BLOCK_READER) BlockReader reader,
        @Advice.FieldValue(value = HadoopTypes.DFS_INPUT_STREAM_BLOCK_END, readOnly = false)
            long blockEnd) {
      IoPriority entered = ClientReads.enter(client);
      if (ClientReads.mustReopen(reader)) {
        blockEnd = -1;
      }
      return entered;
    }

    @Advice.OnMethodExit(onThrowable = Throwable.class, suppress = Throwable.class)
    static void exit(@Advice.Enter IoPriority entered) {
      ClientReads.leave(entered);
    }
  }
}
