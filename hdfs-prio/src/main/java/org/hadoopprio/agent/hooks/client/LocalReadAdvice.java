package org.hadoopprio.agent.hooks.client;

import net.bytebuddy.asm.Advice;
import org.hadoopprio.hdfs.client.ClientReads;

/** The advice of methods in which the calling thread itself reads the files of a block. */
final class LocalReadAdvice {

  private LocalReadAdvice() {}

  @Advice.OnMethodEnter(suppress = Throwable.class)
  static int enter() {
    return ClientReads.applyLocal();
  }

  @Advice.OnMethodExit(onThrowable = Throwable.class, suppress = Throwable.class)
  static void exit(@Advice.Enter int applied) {
    ClientReads.restoreLocal(applied);
  }
}
