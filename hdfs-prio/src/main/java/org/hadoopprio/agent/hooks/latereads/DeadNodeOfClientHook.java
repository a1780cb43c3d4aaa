// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.agent.hooks.latereads;

import static net.bytebuddy.matcher.ElementMatchers.named;
import static net.bytebuddy.matcher.ElementMatchers.takesArgument;

import net.bytebuddy.asm.Advice;
import net.bytebuddy.description.method.MethodDescription;
import net.bytebuddy.matcher.ElementMatcher;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.hadoopprio.agent.hooks.HadoopTypes;
import org.hadoopprio.agent.hooks.HookBase;
import org.hadoopprio.hdfs.client.LateReads;

/** A client is about to tell all its streams of a dead DataNode: not if it was only late. */
final class DeadNodeOfClientHook extends HookBase {

  DeadNodeOfClientHook() {
    super("dead-node-of-client", HadoopTypes.DFS_CLIENT);
  }

  @Override
  public ElementMatcher<? super MethodDescription> methods() {
    return named("addNodeToDeadNodeDetector").and(takesArgument(1, DatanodeInfo.class));
  }

  static final class DeadNodeOfClientAdvice {
    @Advice.OnMethodEnter(skipOn = Advice.OnNonDefaultValue.class, suppress = Throwable.class)
    static boolean enter(@Advice.Argument(1) DatanodeInfo node) {
      return LateReads.isOnlyLate(node);
    }
  }
}
