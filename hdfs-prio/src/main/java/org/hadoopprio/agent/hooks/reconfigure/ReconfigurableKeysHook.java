// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.agent.hooks.reconfigure;

import static net.bytebuddy.matcher.ElementMatchers.namedOneOf;
import static net.bytebuddy.matcher.ElementMatchers.takesNoArguments;

import java.util.Collection;
import net.bytebuddy.asm.Advice;
import net.bytebuddy.implementation.bytecode.assign.Assigner;
import org.hadoopprio.agent.hooks.HadoopTypes;
import org.hadoopprio.agent.hooks.HookBase;
import org.hadoopprio.hdfs.config.DataNodeReconfiguration;

/** Adds our keys to the reconfigurable ones of the DataNode. */
final class ReconfigurableKeysHook extends HookBase {

  ReconfigurableKeysHook() {
    super(
        "reconfigurable-keys",
        HadoopTypes.DATANODE,
        namedOneOf("getReconfigurableProperties", "listReconfigurableProperties")
            .and(takesNoArguments()));
  }

  @Override
  public int methodCount() {
    return 2;
  }

  static final class ReconfigurableKeysAdvice {
    /** Object, because one of the two methods returns a collection and the other a list. */
    @Advice.OnMethodExit(suppress = Throwable.class)
    static void exit(
        @Advice.Return(readOnly = false, typing = Assigner.Typing.DYNAMIC) Object keys) {
      keys = DataNodeReconfiguration.withOurKeys((Collection<?>) keys);
    }
  }
}
