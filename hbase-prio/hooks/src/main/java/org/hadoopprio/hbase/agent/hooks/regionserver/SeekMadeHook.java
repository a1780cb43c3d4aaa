// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.hbase.agent.hooks.regionserver;

import static net.bytebuddy.matcher.ElementMatchers.isConstructor;

import net.bytebuddy.asm.Advice;
import net.bytebuddy.description.method.MethodDescription;
import net.bytebuddy.matcher.ElementMatcher;
import org.hadoopprio.agent.hooks.Hook;
import org.hadoopprio.hbase.agent.hooks.HBaseTypes;
import org.hadoopprio.hdfs.client.CarriedWork;

/**
 * A scanner is going to seek in a store file on a thread of a pool
 * (hbase.storescanner.parallel.seek.enable), which serves no call.
 */
final class SeekMadeHook implements Hook {

  @Override
  public String name() {
    return "seek-made";
  }

  @Override
  public String typeName() {
    return HBaseTypes.PARALLEL_SEEK_HANDLER;
  }

  @Override
  public ElementMatcher<? super MethodDescription> methods() {
    return isConstructor();
  }

  @Override
  public Class<?> advice() {
    return SeekMadeAdvice.class;
  }

  static final class SeekMadeAdvice {
    private SeekMadeAdvice() {}

    // Object, so that the agent need not load the class.
    @Advice.OnMethodExit(suppress = Throwable.class)
    static void exit(@Advice.This Object seek) {
      CarriedWork.made(seek);
    }
  }
}
