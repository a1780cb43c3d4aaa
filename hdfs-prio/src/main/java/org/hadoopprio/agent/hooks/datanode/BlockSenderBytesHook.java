// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.agent.hooks.datanode;

import static net.bytebuddy.matcher.ElementMatchers.named;
import static net.bytebuddy.matcher.ElementMatchers.returns;

import net.bytebuddy.asm.Advice;
import net.bytebuddy.description.method.MethodDescription;
import net.bytebuddy.matcher.ElementMatcher;
import org.hadoopprio.agent.hooks.HadoopTypes;
import org.hadoopprio.agent.hooks.HookBase;
import org.hadoopprio.hdfs.datanode.DataNodeReads;

/** Counts the bytes that a packet has carried to the client, for the metrics. */
final class BlockSenderBytesHook extends HookBase {

  BlockSenderBytesHook() {
    super("packet-bytes", HadoopTypes.BLOCK_SENDER);
  }

  @Override
  public ElementMatcher<? super MethodDescription> methods() {
    return named("sendPacket").and(returns(int.class));
  }

  static final class BlockSenderBytesAdvice {
    @Advice.OnMethodExit(suppress = Throwable.class)
    static void exit(@Advice.Return int bytes) {
      DataNodeReads.sent(bytes);
    }
  }
}
