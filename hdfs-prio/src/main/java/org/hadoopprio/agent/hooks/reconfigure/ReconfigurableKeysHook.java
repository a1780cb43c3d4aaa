// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.agent.hooks.reconfigure;

import static net.bytebuddy.matcher.ElementMatchers.namedOneOf;
import static net.bytebuddy.matcher.ElementMatchers.takesNoArguments;

import java.util.Collection;
import net.bytebuddy.asm.Advice;
import net.bytebuddy.description.method.MethodDescription;
import net.bytebuddy.implementation.bytecode.assign.Assigner;
import net.bytebuddy.matcher.ElementMatcher;
import org.hadoopprio.agent.hooks.HadoopTypes;
import org.hadoopprio.agent.hooks.Hook;
import org.hadoopprio.hdfs.config.DataNodeReconfiguration;

/** Adds our keys to the reconfigurable ones of the DataNode. */
final class ReconfigurableKeysHook implements Hook {

  @Override
  public String name() {
    return "reconfigurable-keys";
  }

  @Override
  public String typeName() {
    return HadoopTypes.DATANODE;
  }

  @Override
  public ElementMatcher<? super MethodDescription> methods() {
    return namedOneOf("getReconfigurableProperties", "listReconfigurableProperties")
        .and(takesNoArguments());
  }

  @Override
  public int methodCount() {
    return 2;
  }

  @Override
  public Class<?> advice() {
    return ReconfigurableKeysAdvice.class;
  }

  static final class ReconfigurableKeysAdvice {
    private ReconfigurableKeysAdvice() {}

    /** Object, because one of the two methods returns a collection and the other a list. */
    @Advice.OnMethodExit(suppress = Throwable.class)
    static void exit(
        @Advice.Return(readOnly = false, typing = Assigner.Typing.DYNAMIC) Object keys) {
      keys = DataNodeReconfiguration.withOurKeys((Collection<?>) keys);
    }
  }
}
