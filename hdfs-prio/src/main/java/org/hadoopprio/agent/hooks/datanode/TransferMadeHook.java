// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.agent.hooks.datanode;

import static net.bytebuddy.matcher.ElementMatchers.isConstructor;
import static net.bytebuddy.matcher.ElementMatchers.isSynthetic;
import static net.bytebuddy.matcher.ElementMatchers.not;

import net.bytebuddy.asm.Advice;
import net.bytebuddy.description.method.MethodDescription;
import net.bytebuddy.matcher.ElementMatcher;
import org.hadoopprio.agent.hooks.HadoopTypes;
import org.hadoopprio.agent.hooks.Hook;
import org.hadoopprio.hdfs.datanode.DataNodeWrites;

/** A replica is going to be sent to another DataNode, perhaps for a client's write. */
final class TransferMadeHook implements Hook {

  @Override
  public String name() {
    return "transfer-made";
  }

  @Override
  public String typeName() {
    return HadoopTypes.DATA_TRANSFER;
  }

  @Override
  public ElementMatcher<? super MethodDescription> methods() {
    return isConstructor().and(not(isSynthetic()));
  }

  @Override
  public Class<?> advice() {
    return TransferMadeAdvice.class;
  }

  static final class TransferMadeAdvice {
    private TransferMadeAdvice() {}

    // Object, because DataTransfer is private in DataNode.
    @Advice.OnMethodExit(suppress = Throwable.class)
    static void exit(@Advice.This Object transfer) {
      DataNodeWrites.transferMade(transfer);
    }
  }
}
