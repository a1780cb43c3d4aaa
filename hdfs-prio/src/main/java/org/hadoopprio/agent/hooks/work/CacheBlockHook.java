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

/** A replica is read into memory, on a thread of a pool. */
final class CacheBlockHook implements Hook {

  @Override
  public String name() {
    return "cache-block";
  }

  @Override
  public String typeName() {
    return HadoopTypes.CACHING_TASK;
  }

  @Override
  public ElementMatcher<? super MethodDescription> methods() {
    return named("run").and(takesNoArguments());
  }

  @Override
  public Class<?> advice() {
    return CacheBlockAdvice.class;
  }

  static final class CacheBlockAdvice {
    private CacheBlockAdvice() {}

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
