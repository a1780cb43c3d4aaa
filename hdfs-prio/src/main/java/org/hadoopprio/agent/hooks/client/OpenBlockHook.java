// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.agent.hooks.client;

import static net.bytebuddy.matcher.ElementMatchers.named;
import static net.bytebuddy.matcher.ElementMatchers.takesArgument;

import java.util.Map;
import net.bytebuddy.asm.Advice;
import net.bytebuddy.description.method.MethodDescription;
import net.bytebuddy.matcher.ElementMatcher;
import org.apache.hadoop.hdfs.BlockReader;
import org.apache.hadoop.hdfs.DFSClient;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.hadoopprio.IoPriority;
import org.hadoopprio.agent.hooks.HadoopTypes;
import org.hadoopprio.agent.hooks.HookBase;
import org.hadoopprio.hdfs.client.ClientReads;

/**
 * Opens every block that a stream reads (positioned, sequential and striped). Binds the client's
 * default priority and records the priority that was sent.
 */
final class OpenBlockHook extends HookBase {

  OpenBlockHook() {
    super("open-block", HadoopTypes.DFS_INPUT_STREAM);
  }

  @Override
  public ElementMatcher<? super MethodDescription> methods() {
    return named("getBlockReader")
        .and(takesArgument(0, LocatedBlock.class))
        .and(takesArgument(1, long.class))
        .and(takesArgument(2, long.class));
  }

  @Override
  public Map<String, String> fields() {
    return Map.of(HadoopTypes.DFS_INPUT_STREAM_CLIENT, HadoopTypes.DFS_CLIENT);
  }

  static final class OpenBlockAdvice {
    @Advice.OnMethodEnter(suppress = Throwable.class)
    static IoPriority enter(
        @Advice.FieldValue(HadoopTypes.DFS_INPUT_STREAM_CLIENT) DFSClient client) {
      return ClientReads.opening(client);
    }

    @Advice.OnMethodExit(onThrowable = Throwable.class, suppress = Throwable.class)
    static void exit(
        @Advice.Enter IoPriority entered,
        @Advice.Return BlockReader reader,
        @Advice.Argument(0) LocatedBlock block,
        @Advice.Argument(1) long offset,
        @Advice.Argument(2) long length) {
      ClientReads.opened(reader, block, offset, length);
      ClientReads.openingEnds(entered);
    }
  }
}
