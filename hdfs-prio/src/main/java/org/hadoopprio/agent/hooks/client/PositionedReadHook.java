// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.agent.hooks.client;

import static net.bytebuddy.matcher.ElementMatchers.named;

import java.util.Map;
import net.bytebuddy.asm.Advice;
import org.apache.hadoop.hdfs.DFSClient;
import org.hadoopprio.IoPriority;
import org.hadoopprio.agent.hooks.HadoopTypes;
import org.hadoopprio.agent.hooks.HookBase;
import org.hadoopprio.hdfs.client.ClientReads;

/**
 * A positioned read, on the thread of the caller or of a hedged read. Binds the client's default
 * priority for a short-circuit reader, which reads after the block has been opened, and for the
 * threads of a pool that read the parts of a stripe ({@link StripePartHook}).
 */
final class PositionedReadHook extends HookBase {

  /**
   * A hook.
   *
   * @param typeName the stream of the client
   * @param method reads one block, or one block group
   */
  PositionedReadHook(String name, String typeName, String method) {
    super(name, typeName, named(method));
  }

  @Override
  public Map<String, String> fields() {
    return Map.of(HadoopTypes.DFS_INPUT_STREAM_CLIENT, HadoopTypes.DFS_CLIENT);
  }

  static final class PositionedReadAdvice {
    @Advice.OnMethodEnter(suppress = Throwable.class)
    static IoPriority enter(
        @Advice.FieldValue(HadoopTypes.DFS_INPUT_STREAM_CLIENT) DFSClient client) {
      return ClientReads.enter(client);
    }

    @Advice.OnMethodExit(onThrowable = Throwable.class, suppress = Throwable.class)
    static void exit(@Advice.Enter IoPriority entered) {
      ClientReads.leave(entered);
    }
  }
}
