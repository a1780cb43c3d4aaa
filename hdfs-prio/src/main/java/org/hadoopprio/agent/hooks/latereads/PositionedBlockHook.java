// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.agent.hooks.latereads;

import static net.bytebuddy.matcher.ElementMatchers.named;

import java.util.Map;
import net.bytebuddy.asm.Advice;
import org.apache.hadoop.hdfs.DFSClient;
import org.hadoopprio.agent.hooks.HadoopTypes;
import org.hadoopprio.agent.hooks.HookBase;
import org.hadoopprio.hdfs.client.LateReads;

/**
 * A positioned read of a block without hedging, which asks one DataNode after the other. By name
 * only: 3.5 has a parameter more.
 */
final class PositionedBlockHook extends HookBase {

  PositionedBlockHook() {
    super("positioned-block", HadoopTypes.DFS_INPUT_STREAM, named("fetchBlockByteRange"));
  }

  @Override
  public Map<String, String> fields() {
    return Map.of(HadoopTypes.DFS_INPUT_STREAM_CLIENT, HadoopTypes.DFS_CLIENT);
  }

  static final class PositionedBlockAdvice {
    @Advice.OnMethodEnter(suppress = Throwable.class)
    static Object enter(@Advice.FieldValue(HadoopTypes.DFS_INPUT_STREAM_CLIENT) DFSClient client) {
      return LateReads.begin(client);
    }

    @Advice.OnMethodExit(onThrowable = Throwable.class, suppress = Throwable.class)
    static void exit(@Advice.Enter Object read) {
      LateReads.end(read);
    }
  }
}
