// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.agent.hooks.work;

import static net.bytebuddy.matcher.ElementMatchers.named;
import static net.bytebuddy.matcher.ElementMatchers.takesArgument;

import java.util.Map;
import net.bytebuddy.asm.Advice;
import net.bytebuddy.description.method.MethodDescription;
import net.bytebuddy.matcher.ElementMatcher;
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;
import org.apache.hadoop.hdfs.server.datanode.DataNode;
import org.hadoopprio.IoRole;
import org.hadoopprio.agent.hooks.HadoopTypes;
import org.hadoopprio.agent.hooks.HookBase;
import org.hadoopprio.hdfs.datanode.DataNodeReads;

/** The balancer has another DataNode copy a replica from here. */
final class CopyBlockHook extends HookBase {

  CopyBlockHook() {
    super("copy-block", HadoopTypes.DATA_XCEIVER);
  }

  @Override
  public ElementMatcher<? super MethodDescription> methods() {
    return named("copyBlock").and(takesArgument(0, ExtendedBlock.class));
  }

  @Override
  public Map<String, String> fields() {
    return Map.of(HadoopTypes.DATA_XCEIVER_DATANODE, HadoopTypes.DATANODE);
  }

  static final class CopyBlockAdvice {
    @Advice.OnMethodEnter(suppress = Throwable.class)
    static void enter(
        @Advice.FieldValue(HadoopTypes.DATA_XCEIVER_DATANODE) DataNode dataNode,
        @Advice.Argument(0) ExtendedBlock block) {
      DataNodeReads.workBegins(IoRole.BALANCER, dataNode, block);
    }

    @Advice.OnMethodExit(onThrowable = Throwable.class, suppress = Throwable.class)
    static void exit() {
      DataNodeReads.finishRead();
    }
  }
}
