// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.agent.hooks.engines;

import static net.bytebuddy.matcher.ElementMatchers.named;
import static net.bytebuddy.matcher.ElementMatchers.takesArgument;

import java.util.List;
import net.bytebuddy.asm.Advice;
import net.bytebuddy.description.method.MethodDescription;
import net.bytebuddy.matcher.ElementMatcher;
import org.apache.hadoop.hdfs.server.datanode.DataNode;
import org.apache.hadoop.hdfs.server.datanode.StorageLocation;
import org.hadoopprio.agent.hooks.HadoopTypes;
import org.hadoopprio.agent.hooks.HookBase;
import org.hadoopprio.hdfs.datanode.engine.EngineReads;

/** A DataNode has started: opens its engines and logs mistakes in their keys. */
final class DataNodeStartHook extends HookBase {

  DataNodeStartHook() {
    super("start", HadoopTypes.DATANODE);
  }

  @Override
  public ElementMatcher<? super MethodDescription> methods() {
    return named("startDataNode").and(takesArgument(0, List.class));
  }

  static final class DataNodeStartAdvice {
    @Advice.OnMethodExit(suppress = Throwable.class)
    static void exit(
        @Advice.This DataNode dataNode, @Advice.Argument(0) List<StorageLocation> dataDirectories) {
      EngineReads.dataNodeStarted(dataNode.getConf(), dataDirectories);
    }
  }
}
