// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.agent.hooks.datanode;

import static net.bytebuddy.matcher.ElementMatchers.isConstructor;
import static net.bytebuddy.matcher.ElementMatchers.isSynthetic;
import static net.bytebuddy.matcher.ElementMatchers.not;

import net.bytebuddy.asm.Advice;
import org.hadoopprio.agent.hooks.HadoopTypes;
import org.hadoopprio.agent.hooks.HookBase;
import org.hadoopprio.hdfs.datanode.DataNodeWrites;

/** A replica is going to be sent to another DataNode, perhaps for a client's write. */
final class TransferMadeHook extends HookBase {

  TransferMadeHook() {
    super("transfer-made", HadoopTypes.DATA_TRANSFER, isConstructor().and(not(isSynthetic())));
  }

  static final class TransferMadeAdvice {
    // Object, because DataTransfer is private in DataNode.
    @Advice.OnMethodExit(suppress = Throwable.class)
    static void exit(@Advice.This Object transfer) {
      DataNodeWrites.transferMade(transfer);
    }
  }
}
