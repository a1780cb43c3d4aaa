// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.agent.hooks.client;

import static net.bytebuddy.matcher.ElementMatchers.isPublic;
import static net.bytebuddy.matcher.ElementMatchers.named;

import net.bytebuddy.asm.Advice;
import org.hadoopprio.agent.hooks.HadoopTypes;
import org.hadoopprio.agent.hooks.HookBase;
import org.hadoopprio.hdfs.client.ClientReads;

/**
 * The old short circuit (dfs.client.use.legacy.blockreader.local): the calling thread opens and
 * reads the block file itself, and so sets its own priority. It asks for no turn: nothing tells the
 * reader which DataNode has the socket.
 */
final class LegacyShortCircuitHook extends HookBase {

  /** Opening a block reads the header of its checksums. */
  LegacyShortCircuitHook() {
    super(
        "legacy-short-circuit",
        HadoopTypes.BLOCK_READER_LOCAL_LEGACY,
        named("read").and(isPublic()).or(named("newBlockReader")));
  }

  /** Two that read, into a buffer and into an array, and the one that opens. */
  @Override
  public int methodCount() {
    return 3;
  }

  static final class LegacyShortCircuitAdvice {
    @Advice.OnMethodEnter(suppress = Throwable.class)
    static int enter() {
      return ClientReads.applyLocal();
    }

    @Advice.OnMethodExit(onThrowable = Throwable.class, suppress = Throwable.class)
    static void exit(@Advice.Enter int applied) {
      ClientReads.restoreLocal(applied);
    }
  }
}
