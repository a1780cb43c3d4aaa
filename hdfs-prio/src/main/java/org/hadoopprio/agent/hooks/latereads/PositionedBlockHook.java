// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.agent.hooks.latereads;

import static net.bytebuddy.matcher.ElementMatchers.named;

import java.util.Map;
import net.bytebuddy.asm.Advice;
import net.bytebuddy.description.method.MethodDescription;
import net.bytebuddy.matcher.ElementMatcher;
import org.apache.hadoop.hdfs.DFSClient;
import org.hadoopprio.agent.hooks.HadoopTypes;
import org.hadoopprio.agent.hooks.Hook;
import org.hadoopprio.hdfs.client.LateReads;

/**
 * A positioned read of a block without hedging, which asks one DataNode after the other. By name
 * only: 3.5 has a parameter more.
 */
final class PositionedBlockHook implements Hook {

  @Override
  public String name() {
    return "positioned-block";
  }

  @Override
  public String typeName() {
    return HadoopTypes.DFS_INPUT_STREAM;
  }

  @Override
  public ElementMatcher<? super MethodDescription> methods() {
    return named("fetchBlockByteRange");
  }

  @Override
  public Map<String, String> fields() {
    return Map.of(HadoopTypes.DFS_INPUT_STREAM_CLIENT, HadoopTypes.DFS_CLIENT);
  }

  @Override
  public Class<?> advice() {
    return PositionedBlockAdvice.class;
  }

  static final class PositionedBlockAdvice {
    private PositionedBlockAdvice() {}

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
