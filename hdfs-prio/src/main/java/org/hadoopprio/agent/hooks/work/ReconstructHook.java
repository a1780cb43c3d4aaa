// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.agent.hooks.work;

import static net.bytebuddy.matcher.ElementMatchers.named;
import static net.bytebuddy.matcher.ElementMatchers.takesNoArguments;

import net.bytebuddy.asm.Advice;
import org.hadoopprio.IoRole;
import org.hadoopprio.agent.hooks.HadoopTypes;
import org.hadoopprio.agent.hooks.HookBase;
import org.hadoopprio.hdfs.datanode.DataNodeWork;

/**
 * A lost block of an erasure-coded file is computed. The thread asks other DataNodes for their
 * blocks, and sends them the result; its own disk is not used.
 */
final class ReconstructHook extends HookBase {

  ReconstructHook() {
    super(
        "reconstruct",
        HadoopTypes.STRIPED_BLOCK_RECONSTRUCTOR,
        named("run").and(takesNoArguments()));
  }

  static final class ReconstructAdvice {
    @Advice.OnMethodEnter(suppress = Throwable.class)
    static DataNodeWork enter() {
      return DataNodeWork.begin(IoRole.EC_RECONSTRUCTION);
    }

    @Advice.OnMethodExit(onThrowable = Throwable.class, suppress = Throwable.class)
    static void exit(@Advice.Enter DataNodeWork begun) {
      DataNodeWork.end(begun);
    }
  }
}
