// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.agent.hooks.latereads;

import static net.bytebuddy.matcher.ElementMatchers.named;
import static net.bytebuddy.matcher.ElementMatchers.takesArguments;

import net.bytebuddy.asm.Advice;
import net.bytebuddy.description.method.MethodDescription;
import net.bytebuddy.matcher.ElementMatcher;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.hadoopprio.agent.hooks.HadoopTypes;
import org.hadoopprio.agent.hooks.HookBase;
import org.hadoopprio.hdfs.client.LateReads;

/** A stream is about to read nothing more from a DataNode: not if it was only late. */
final class DeadNodeHook extends HookBase {

  DeadNodeHook() {
    super("dead-node", HadoopTypes.DFS_INPUT_STREAM);
  }

  @Override
  public ElementMatcher<? super MethodDescription> methods() {
    return named("addToLocalDeadNodes").and(takesArguments(DatanodeInfo.class));
  }

  static final class DeadNodeAdvice {
    @Advice.OnMethodEnter(skipOn = Advice.OnNonDefaultValue.class, suppress = Throwable.class)
    static boolean enter(@Advice.Argument(0) DatanodeInfo node) {
      return LateReads.isOnlyLate(node);
    }
  }
}
