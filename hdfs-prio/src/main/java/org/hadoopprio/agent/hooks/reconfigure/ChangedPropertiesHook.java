// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.agent.hooks.reconfigure;

import static net.bytebuddy.matcher.ElementMatchers.named;
import static net.bytebuddy.matcher.ElementMatchers.takesArguments;

import java.util.Collection;
import net.bytebuddy.asm.Advice;
import net.bytebuddy.description.method.MethodDescription;
import net.bytebuddy.matcher.ElementMatcher;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.conf.ReconfigurableBase;
import org.apache.hadoop.conf.ReconfigurationUtil.PropertyChange;
import org.apache.hadoop.hdfs.server.datanode.DataNode;
import org.hadoopprio.agent.hooks.HadoopTypes;
import org.hadoopprio.agent.hooks.HookBase;
import org.hadoopprio.hdfs.config.DataNodeReconfiguration;

/**
 * Adds a policy file that was edited in place to the changes that {@code hdfs dfsadmin -reconfig}
 * finds by comparing the values of keys.
 */
final class ChangedPropertiesHook extends HookBase {

  ChangedPropertiesHook() {
    super("changed-properties", HadoopTypes.RECONFIGURABLE_BASE);
  }

  @Override
  public ElementMatcher<? super MethodDescription> methods() {
    return named("getChangedProperties")
        .and(takesArguments(Configuration.class, Configuration.class));
  }

  static final class ChangedPropertiesAdvice {
    @Advice.OnMethodExit(suppress = Throwable.class)
    static void exit(
        @Advice.This ReconfigurableBase daemon,
        @Advice.Argument(0) Configuration newConf,
        @Advice.Argument(1) Configuration oldConf,
        @Advice.Return(readOnly = false) Collection<PropertyChange> changes) {
      if (daemon instanceof DataNode) {
        changes = DataNodeReconfiguration.withPolicyFile(oldConf, newConf, changes);
      }
    }
  }
}
