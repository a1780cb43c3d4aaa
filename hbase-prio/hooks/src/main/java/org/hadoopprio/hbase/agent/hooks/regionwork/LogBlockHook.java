// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.hbase.agent.hooks.regionwork;

import static net.bytebuddy.matcher.ElementMatchers.named;

import net.bytebuddy.asm.Advice;
import org.apache.hadoop.thirdparty.protobuf.Message;
import org.hadoopprio.IoRole;
import org.hadoopprio.agent.hooks.HookBase;
import org.hadoopprio.hbase.agent.hooks.HBaseTypes;
import org.hadoopprio.hbase.delegate.RoleScopes;

/**
 * A block of a write-ahead log is opened on a DataNode by the asynchronous provider, which builds
 * the operation itself and sends it from an event loop.
 */
final class LogBlockHook extends HookBase {

  LogBlockHook() {
    super("log-block", HBaseTypes.FAN_OUT_HELPER, named("requestWriteBlock"));
  }

  static final class LogBlockAdvice {
    @Advice.OnMethodEnter(suppress = Throwable.class)
    static void enter(@Advice.Argument(2) Message.Builder operation) {
      RoleScopes.stamp(IoRole.WAL, operation);
    }
  }
}
