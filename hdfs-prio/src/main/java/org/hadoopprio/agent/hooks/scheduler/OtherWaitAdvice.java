// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.agent.hooks.scheduler;

import net.bytebuddy.asm.Advice;
import org.hadoopprio.hdfs.datanode.scheduler.ScheduledReads;

/** The advice of methods in which a packet's thread waits for something other than the disk. */
final class OtherWaitAdvice {

  private OtherWaitAdvice() {}

  @Advice.OnMethodEnter(suppress = Throwable.class)
  static Object enter() {
    return ScheduledReads.suspend();
  }

  @Advice.OnMethodExit(onThrowable = Throwable.class, suppress = Throwable.class)
  static void exit(@Advice.Enter Object suspended) {
    ScheduledReads.resume(suspended);
  }
}
