// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.agent.hooks.work;

import static net.bytebuddy.matcher.ElementMatchers.named;
import static net.bytebuddy.matcher.ElementMatchers.takesArguments;

import net.bytebuddy.asm.Advice;
import org.hadoopprio.agent.hooks.HadoopTypes;
import org.hadoopprio.agent.hooks.HookBase;
import org.hadoopprio.hdfs.datanode.DataNodeCopy;

/** The disk balancer moves a replica, which may need a copy ({@link CopyReplicaHook}). */
final class BalanceDisksHook extends HookBase {

  /** Only the disk balancer calls it. */
  BalanceDisksHook() {
    super(
        "balance-disks",
        HadoopTypes.FS_DATASET_IMPL,
        named("moveBlockAcrossVolumes").and(takesArguments(2)));
  }

  static final class BalanceDisksAdvice {
    @Advice.OnMethodEnter(suppress = Throwable.class)
    static void enter() {
      DataNodeCopy.balancerBegins();
    }

    @Advice.OnMethodExit(onThrowable = Throwable.class, suppress = Throwable.class)
    static void exit() {
      DataNodeCopy.balancerEnds();
    }
  }
}
