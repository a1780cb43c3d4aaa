// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.agent.hooks.client;

import static net.bytebuddy.matcher.ElementMatchers.named;
import static net.bytebuddy.matcher.ElementMatchers.takesArguments;

import java.util.Map;
import net.bytebuddy.asm.Advice;
import org.apache.hadoop.hdfs.DFSClient;
import org.apache.hadoop.hdfs.DFSInputStream;
import org.hadoopprio.IoPriority;
import org.hadoopprio.agent.hooks.HadoopTypes;
import org.hadoopprio.agent.hooks.HookBase;
import org.hadoopprio.hdfs.client.ClientReads;

/**
 * A sequential read of an erasure-coded file. Binds the client's default priority, and makes the
 * stream reopen its blocks if the priority has changed.
 */
final class StripedSequentialReadHook extends HookBase {

  StripedSequentialReadHook() {
    super(
        "striped-sequential-read",
        HadoopTypes.DFS_STRIPED_INPUT_STREAM,
        named("readWithStrategy").and(takesArguments(1)));
  }

  @Override
  public Map<String, String> fields() {
    return Map.of(
        HadoopTypes.DFS_INPUT_STREAM_CLIENT,
        HadoopTypes.DFS_CLIENT,
        HadoopTypes.DFS_INPUT_STREAM_BLOCK_END,
        "long");
  }

  static final class StripedSequentialReadAdvice {
    @Advice.OnMethodEnter(suppress = Throwable.class)
    static IoPriority enter(
        @Advice.This DFSInputStream stream,
        @Advice.FieldValue(HadoopTypes.DFS_INPUT_STREAM_CLIENT) DFSClient client,
        @Advice.FieldValue(HadoopTypes.DFS_INPUT_STREAM_BLOCK_END) long blockEnd) {
      IoPriority entered = ClientReads.enter(client);
      ClientReads.stripesRead(stream, blockEnd >= 0);
      return entered;
    }

    @Advice.OnMethodExit(onThrowable = Throwable.class, suppress = Throwable.class)
    static void exit(@Advice.Enter IoPriority entered) {
      ClientReads.leave(entered);
    }
  }
}
