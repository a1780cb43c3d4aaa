// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.agent.hooks.latereads;

import static net.bytebuddy.matcher.ElementMatchers.named;
import static net.bytebuddy.matcher.ElementMatchers.takesArgument;

import java.util.Collection;
import java.util.Map;
import net.bytebuddy.asm.Advice;
import net.bytebuddy.description.method.MethodDescription;
import net.bytebuddy.matcher.ElementMatcher;
import org.apache.hadoop.hdfs.DFSClient;
import org.apache.hadoop.hdfs.DFSInputStream;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.hadoopprio.agent.hooks.HadoopTypes;
import org.hadoopprio.agent.hooks.HookBase;
import org.hadoopprio.hdfs.client.LateReads;

/** A stream chooses the DataNode to read from: not one that is late. */
final class ChooseNodeHook extends HookBase {

  ChooseNodeHook() {
    super("choose-node", HadoopTypes.DFS_INPUT_STREAM);
  }

  @Override
  public ElementMatcher<? super MethodDescription> methods() {
    return named("getBestNodeDNAddrPair")
        .and(takesArgument(0, LocatedBlock.class))
        .and(takesArgument(1, Collection.class));
  }

  @Override
  public Map<String, String> fields() {
    return Map.of(HadoopTypes.DFS_INPUT_STREAM_CLIENT, HadoopTypes.DFS_CLIENT);
  }

  static final class ChooseNodeAdvice {
    @Advice.OnMethodEnter(suppress = Throwable.class)
    static void enter(
        @Advice.This DFSInputStream stream,
        @Advice.FieldValue(HadoopTypes.DFS_INPUT_STREAM_CLIENT) DFSClient client,
        @Advice.Argument(0) LocatedBlock block,
        @Advice.Argument(value = 1, readOnly = false) Collection<DatanodeInfo> ignored) {
      ignored = LateReads.ignoring(stream, client, block, ignored);
    }
  }
}
