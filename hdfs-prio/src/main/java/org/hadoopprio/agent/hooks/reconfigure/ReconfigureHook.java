// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.agent.hooks.reconfigure;

import static net.bytebuddy.matcher.ElementMatchers.named;
import static net.bytebuddy.matcher.ElementMatchers.takesArguments;

import net.bytebuddy.asm.Advice;
import net.bytebuddy.description.method.MethodDescription;
import net.bytebuddy.matcher.ElementMatcher;
import org.apache.hadoop.hdfs.server.datanode.DataNode;
import org.hadoopprio.agent.hooks.HadoopTypes;
import org.hadoopprio.agent.hooks.HookBase;
import org.hadoopprio.hdfs.config.DataNodeReconfiguration;

/** Changes our keys; a change of any other key goes on to the DataNode. */
final class ReconfigureHook extends HookBase {

  ReconfigureHook() {
    super("reconfigure", HadoopTypes.DATANODE);
  }

  @Override
  public ElementMatcher<? super MethodDescription> methods() {
    return named("reconfigurePropertyImpl").and(takesArguments(String.class, String.class));
  }

  static final class ReconfigureAdvice {
    // Object: null lets the DataNode handle the key; a String or an exception skips the hooked
    // method and is what it returns or throws.
    @Advice.OnMethodEnter(suppress = Throwable.class, skipOn = Advice.OnNonDefaultValue.class)
    static Object enter(
        @Advice.This DataNode dataNode,
        @Advice.Argument(0) String key,
        @Advice.Argument(1) String newValue) {
      return DataNodeReconfiguration.change(dataNode.getConf(), key, newValue);
    }

    @Advice.OnMethodExit(onThrowable = Throwable.class, suppress = Throwable.class)
    static void exit(
        @Advice.Enter Object outcome,
        @Advice.Return(readOnly = false) String effective,
        @Advice.Thrown(readOnly = false) Throwable failure) {
      if (outcome instanceof Throwable) {
        failure = (Throwable) outcome;
      } else if (outcome != null) {
        effective = (String) outcome;
      }
    }
  }
}
