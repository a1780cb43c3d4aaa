// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.agent.hooks.work;

import static net.bytebuddy.matcher.ElementMatchers.named;
import static net.bytebuddy.matcher.ElementMatchers.takesNoArguments;

import net.bytebuddy.asm.Advice;
import net.bytebuddy.description.method.MethodDescription;
import net.bytebuddy.matcher.ElementMatcher;
import org.hadoopprio.IoRole;
import org.hadoopprio.agent.hooks.HadoopTypes;
import org.hadoopprio.agent.hooks.Hook;
import org.hadoopprio.hdfs.datanode.DataNodeWork;

/**
 * A lost block of an erasure-coded file is computed. The thread asks other DataNodes for their
 * blocks, and sends them the result; its own disk is not used.
 */
final class ReconstructHook implements Hook {

  @Override
  public String name() {
    return "reconstruct";
  }

  @Override
  public String typeName() {
    return HadoopTypes.STRIPED_BLOCK_RECONSTRUCTOR;
  }

  @Override
  public ElementMatcher<? super MethodDescription> methods() {
    return named("run").and(takesNoArguments());
  }

  @Override
  public Class<?> advice() {
    return ReconstructAdvice.class;
  }

  static final class ReconstructAdvice {
    private ReconstructAdvice() {}

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
