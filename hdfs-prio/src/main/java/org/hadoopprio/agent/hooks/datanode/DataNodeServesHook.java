// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.agent.hooks.datanode;

import static net.bytebuddy.matcher.ElementMatchers.named;
import static net.bytebuddy.matcher.ElementMatchers.takesNoArguments;

import net.bytebuddy.asm.Advice;
import org.apache.hadoop.hdfs.server.datanode.DataNode;
import org.hadoopprio.agent.hooks.HadoopTypes;
import org.hadoopprio.agent.hooks.HookBase;
import org.hadoopprio.hdfs.datanode.DataNodeReads;
import org.hadoopprio.hdfs.datanode.shortcircuit.TurnService;

/** A DataNode is about to serve: reads its policy and registers its metrics. */
final class DataNodeServesHook extends HookBase {

  DataNodeServesHook() {
    super(
        "datanode-serves",
        HadoopTypes.DATANODE,
        named("runDatanodeDaemon").and(takesNoArguments()));
  }

  static final class DataNodeServesAdvice {
    @Advice.OnMethodEnter(suppress = Throwable.class)
    static void enter(@Advice.This DataNode dataNode) {
      DataNodeReads.dataNodeStarting(dataNode);
      TurnService.dataNodeStarting(dataNode);
    }
  }
}
