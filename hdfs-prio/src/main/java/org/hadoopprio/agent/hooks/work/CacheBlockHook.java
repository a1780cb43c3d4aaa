// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.agent.hooks.work;

import static net.bytebuddy.matcher.ElementMatchers.named;
import static net.bytebuddy.matcher.ElementMatchers.takesNoArguments;

import net.bytebuddy.asm.Advice;
import org.hadoopprio.IoRole;
import org.hadoopprio.agent.hooks.HadoopTypes;
import org.hadoopprio.agent.hooks.HookBase;
import org.hadoopprio.hdfs.datanode.DataNodeWork;

/** A replica is read into memory, on a thread of a pool. */
final class CacheBlockHook extends HookBase {

  CacheBlockHook() {
    super("cache-block", HadoopTypes.CACHING_TASK, named("run").and(takesNoArguments()));
  }

  static final class CacheBlockAdvice {
    @Advice.OnMethodEnter(suppress = Throwable.class)
    static DataNodeWork enter() {
      return DataNodeWork.begin(IoRole.CACHED_BLOCK_LOAD);
    }

    @Advice.OnMethodExit(onThrowable = Throwable.class, suppress = Throwable.class)
    static void exit(@Advice.Enter DataNodeWork begun) {
      DataNodeWork.end(begun);
    }
  }
}
