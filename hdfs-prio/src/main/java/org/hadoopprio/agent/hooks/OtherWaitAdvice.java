package org.hadoopprio.agent.hooks;

import net.bytebuddy.asm.Advice;
import org.hadoopprio.hdfs.datanode.share.RealtimePackets;

/** A packet's thread waits for something other than the disk. */
final class OtherWaitAdvice {

  private OtherWaitAdvice() {}

  @Advice.OnMethodEnter(suppress = Throwable.class)
  static Object enter() {
    return RealtimePackets.beginOtherWait();
  }

  @Advice.OnMethodExit(onThrowable = Throwable.class, suppress = Throwable.class)
  static void exit(@Advice.Enter Object begun) {
    RealtimePackets.endOtherWait(begun);
  }
}
