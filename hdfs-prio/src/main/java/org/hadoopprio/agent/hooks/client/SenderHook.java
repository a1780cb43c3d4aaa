// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.agent.hooks.client;

import static net.bytebuddy.matcher.ElementMatchers.isStatic;
import static net.bytebuddy.matcher.ElementMatchers.named;
import static net.bytebuddy.matcher.ElementMatchers.takesArguments;

import net.bytebuddy.asm.Advice;
import org.apache.hadoop.hdfs.protocol.datatransfer.Op;
import org.apache.hadoop.thirdparty.protobuf.Message;
import org.hadoopprio.agent.hooks.HadoopTypes;
import org.hadoopprio.agent.hooks.HookBase;
import org.hadoopprio.hdfs.client.ClientReads;

/**
 * Adds the priority to an operation that is about to be sent. The public methods of Sender, one for
 * each operation, all call this one static {@code send}.
 */
final class SenderHook extends HookBase {

  SenderHook() {
    super("stamp", HadoopTypes.SENDER, named("send").and(isStatic()).and(takesArguments(3)));
  }

  static final class SenderAdvice {
    @Advice.OnMethodEnter(suppress = Throwable.class)
    static void enter(
        @Advice.Argument(1) Op op, @Advice.Argument(value = 2, readOnly = false) Message message) {
      message = ClientReads.stamp(op, message);
    }
  }
}
