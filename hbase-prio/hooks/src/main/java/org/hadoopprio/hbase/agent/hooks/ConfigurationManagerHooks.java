// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.hbase.agent.hooks;

import static net.bytebuddy.matcher.ElementMatchers.named;
import static net.bytebuddy.matcher.ElementMatchers.takesArguments;
import static org.hadoopprio.off.AgentModule.REGIONSERVER;

import net.bytebuddy.asm.Advice;
import org.apache.hadoop.conf.Configuration;
import org.hadoopprio.agent.hooks.TypeHooks;
import org.hadoopprio.hbase.delegate.ServedCalls;

/** Tells a daemon's parts of a new configuration. */
public final class ConfigurationManagerHooks extends TypeHooks {

  public static final String CONFIGURATION_MANAGER =
      "org.apache.hadoop.hbase.conf.ConfigurationManager";

  public ConfigurationManagerHooks() {
    in(CONFIGURATION_MANAGER);
    hook(
        REGIONSERVER,
        "update-config",
        named("notifyAllObservers").and(takesArguments(1)),
        "UpdateConfig");
  }

  /**
   * {@code update_config} of the HBase shell. HBase does not notify region coprocessors of it, and
   * exceptions of the observers that it does notify are only logged and do not reach the caller.
   */
  static final class UpdateConfig {
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
