// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.agent.hooks.datanode;

import static net.bytebuddy.matcher.ElementMatchers.named;
import static net.bytebuddy.matcher.ElementMatchers.takesNoArguments;

import net.bytebuddy.asm.Advice;
import net.bytebuddy.description.method.MethodDescription;
import net.bytebuddy.matcher.ElementMatcher;
import org.apache.hadoop.hdfs.server.datanode.DataNode;
import org.hadoopprio.agent.hooks.HadoopTypes;
import org.hadoopprio.agent.hooks.Hook;
import org.hadoopprio.hdfs.datanode.DataNodeReads;
import org.hadoopprio.hdfs.datanode.shortcircuit.TurnService;

/** A DataNode is about to serve: reads its policy and registers its metrics. */
final class DataNodeServesHook implements Hook {

  @Override
  public String name() {
    return "datanode-serves";
  }

  @Override
  public String typeName() {
    return HadoopTypes.DATANODE;
  }

  @Override
  public ElementMatcher<? super MethodDescription> methods() {
    return named("runDatanodeDaemon").and(takesNoArguments());
  }

  @Override
  public Class<?> advice() {
    return DataNodeServesAdvice.class;
  }

  static final class DataNodeServesAdvice {
    private DataNodeServesAdvice() {}

    @Advice.OnMethodEnter(suppress = Throwable.class)
    static void enter(@Advice.This DataNode dataNode) {
      DataNodeReads.dataNodeStarting(dataNode);
      TurnService.dataNodeStarting(dataNode);
    }
  }
}
