// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.agent.hooks;

import static net.bytebuddy.matcher.ElementMatchers.isStatic;
import static net.bytebuddy.matcher.ElementMatchers.named;
import static net.bytebuddy.matcher.ElementMatchers.takesArguments;
import static org.hadoopprio.off.AgentModule.HDFS_CLIENT;

import net.bytebuddy.asm.Advice;
import org.apache.hadoop.hdfs.protocol.datatransfer.Op;
import org.apache.hadoop.thirdparty.protobuf.Message;
import org.hadoopprio.hdfs.client.ClientReads;

/** The sender of the operations of the DataTransferProtocol. */
public final class SenderHooks extends TypeHooks {

  public static final String SENDER = "org.apache.hadoop.hdfs.protocol.datatransfer.Sender";

  public SenderHooks() {
    in(SENDER);
    // The public methods, one for each operation, all call this one.
    hook(HDFS_CLIENT, "stamp", named("send").and(isStatic()).and(takesArguments(3)), "Stamp");
  }

  /** Adds the priority to an operation that is about to be sent. */
  static final class Stamp {
    @Advice.OnMethodEnter(suppress = Throwable.class)
    static void enter(
        @Advice.Argument(1) Op op, @Advice.Argument(value = 2, readOnly = false) Message message) {
      message = ClientReads.stamp(op, message);
    }
  }
}
