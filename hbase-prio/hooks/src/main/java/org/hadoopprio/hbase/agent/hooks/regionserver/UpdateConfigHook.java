// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.hbase.agent.hooks.regionserver;

import static net.bytebuddy.matcher.ElementMatchers.named;
import static net.bytebuddy.matcher.ElementMatchers.takesArguments;

import net.bytebuddy.asm.Advice;
import net.bytebuddy.description.method.MethodDescription;
import net.bytebuddy.matcher.ElementMatcher;
import org.apache.hadoop.conf.Configuration;
import org.hadoopprio.agent.hooks.HookBase;
import org.hadoopprio.hbase.agent.hooks.HBaseTypes;
import org.hadoopprio.hbase.delegate.ServedCalls;

/**
 * {@code update_config} of the HBase shell. HBase does not notify region coprocessors of it, and
 * exceptions of the observers that it does notify are only logged and do not reach the caller.
 */
final class UpdateConfigHook extends HookBase {

  UpdateConfigHook() {
    super("update-config", HBaseTypes.CONFIGURATION_MANAGER);
  }

  @Override
  public ElementMatcher<? super MethodDescription> methods() {
    return named("notifyAllObservers").and(takesArguments(Configuration.class));
  }

  static final class UpdateConfigAdvice {
    @Advice.OnMethodExit(onThrowable = Throwable.class, suppress = Throwable.class)
    static void exit(
        @Advice.Argument(0) Configuration conf,
        @Advice.Thrown(readOnly = false) Throwable failure) {
      if (failure == null) {
        failure = ServedCalls.reconfigured(conf);
      }
    }
  }
}
