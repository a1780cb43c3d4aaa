package org.hadoopprio.agent.hooks;

import net.bytebuddy.asm.Advice;
import org.hadoopprio.hdfs.client.ClientReads;

/** For methods in which the calling thread itself reads a block's files. */
final class LocalReadAdvice {

  private LocalReadAdvice() {}

  @Advice.OnMethodEnter(suppress = Throwable.class)
  static int enter() {
    return ClientReads.beginLocal();
  }

  @Advice.OnMethodExit(onThrowable = Throwable.class, suppress = Throwable.class)
  static void exit(@Advice.Enter int begun) {
    ClientReads.endLocal(begun);
  }
}
