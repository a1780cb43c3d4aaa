// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.agent.hooks.work;

import static net.bytebuddy.matcher.ElementMatchers.named;
import static net.bytebuddy.matcher.ElementMatchers.takesArguments;

import net.bytebuddy.asm.Advice;
import net.bytebuddy.description.method.MethodDescription;
import net.bytebuddy.matcher.ElementMatcher;
import org.hadoopprio.agent.hooks.HadoopTypes;
import org.hadoopprio.agent.hooks.Hook;
import org.hadoopprio.hdfs.datanode.DataNodeCopy;

/** The disk balancer moves a replica, which may need a copy ({@link CopyReplicaHook}). */
final class BalanceDisksHook implements Hook {

  @Override
  public String name() {
    return "balance-disks";
  }

  @Override
  public String typeName() {
    return HadoopTypes.FS_DATASET_IMPL;
  }

  /** Only the disk balancer calls it. */
  @Override
  public ElementMatcher<? super MethodDescription> methods() {
    return named("moveBlockAcrossVolumes").and(takesArguments(2));
  }

  @Override
  public Class<?> advice() {
    return BalanceDisksAdvice.class;
  }

  static final class BalanceDisksAdvice {
    private BalanceDisksAdvice() {}

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
