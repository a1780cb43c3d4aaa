// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.hbase.agent.hooks.regionwork;

import static net.bytebuddy.matcher.ElementMatchers.named;

import net.bytebuddy.asm.Advice;
import net.bytebuddy.description.method.MethodDescription;
import net.bytebuddy.matcher.ElementMatcher;
import org.apache.hadoop.thirdparty.protobuf.Message;
import org.hadoopprio.IoRole;
import org.hadoopprio.agent.hooks.Hook;
import org.hadoopprio.hbase.agent.hooks.HBaseTypes;
import org.hadoopprio.hbase.delegate.RoleScopes;

/**
 * A block of a write-ahead log is opened on a DataNode by the asynchronous provider, which builds
 * the operation itself and sends it from an event loop.
 */
final class LogBlockHook implements Hook {

  @Override
  public String name() {
    return "log-block";
  }

  @Override
  public String typeName() {
    return HBaseTypes.FAN_OUT_HELPER;
  }

  @Override
  public ElementMatcher<? super MethodDescription> methods() {
    return named("requestWriteBlock");
  }

  @Override
  public Class<?> advice() {
    return LogBlockAdvice.class;
  }

  static final class LogBlockAdvice {
    private LogBlockAdvice() {}

    @Advice.OnMethodEnter(suppress = Throwable.class)
    static void enter(@Advice.Argument(2) Message.Builder operation) {
      RoleScopes.stamp(IoRole.WAL, operation);
    }
  }
}
