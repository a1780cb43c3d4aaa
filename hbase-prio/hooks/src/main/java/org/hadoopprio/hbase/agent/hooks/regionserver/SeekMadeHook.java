// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.hbase.agent.hooks.regionserver;

import static net.bytebuddy.matcher.ElementMatchers.isConstructor;

import net.bytebuddy.asm.Advice;
import org.hadoopprio.agent.hooks.HookBase;
import org.hadoopprio.hbase.agent.hooks.HBaseTypes;
import org.hadoopprio.hdfs.client.CarriedWork;

/**
 * A scanner is going to seek in a store file on a thread of a pool
 * (hbase.storescanner.parallel.seek.enable), which serves no call.
 */
final class SeekMadeHook extends HookBase {

  SeekMadeHook() {
    super("seek-made", HBaseTypes.PARALLEL_SEEK_HANDLER, isConstructor());
  }

  static final class SeekMadeAdvice {
    // Object, so that the agent need not load the class.
    @Advice.OnMethodExit(suppress = Throwable.class)
    static void exit(@Advice.This Object seek) {
      CarriedWork.made(seek);
    }
  }
}
