package org.hadoopprio.agent.hooks.share;

import net.bytebuddy.asm.Advice;
import org.hadoopprio.hdfs.datanode.share.RealtimePackets;

/** The advice of methods in which a packet's thread waits for something other than the disk. */
final class OtherWaitAdvice {

  private OtherWaitAdvice() {}

  @Advice.OnMethodEnter(suppress = Throwable.class)
  static Object enter() {
    return RealtimePackets.suspend();
  }

  @Advice.OnMethodExit(onThrowable = Throwable.class, suppress = Throwable.class)
  static void exit(@Advice.Enter Object suspended) {
    RealtimePackets.resume(suspended);
  }
}
