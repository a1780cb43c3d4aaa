// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.agent.hooks.datanode;

import static net.bytebuddy.matcher.ElementMatchers.named;

import java.util.Map;
import net.bytebuddy.asm.Advice;
import org.apache.hadoop.hdfs.server.datanode.DataNode;
import org.hadoopprio.PriorityScope;
import org.hadoopprio.agent.hooks.HadoopTypes;
import org.hadoopprio.agent.hooks.HookBase;
import org.hadoopprio.hdfs.datanode.DataNodeReads;
import org.hadoopprio.role.WorkScope;

/**
 * A DataXceiver computes the checksum of an erasure-coded block group: it asks the DataNodes that
 * have the blocks, and reads nothing itself.
 */
final class DataXceiverGroupChecksumHook extends HookBase {

  DataXceiverGroupChecksumHook() {
    super("group-checksum", HadoopTypes.DATA_XCEIVER, named("blockGroupChecksum"));
  }

  @Override
  public Map<String, String> fields() {
    return Map.of(HadoopTypes.DATA_XCEIVER_DATANODE, HadoopTypes.DATANODE);
  }

  static final class DataXceiverGroupChecksumAdvice {
    @Advice.OnMethodEnter(suppress = Throwable.class)
    static PriorityScope enter(
        @Advice.FieldValue(HadoopTypes.DATA_XCEIVER_DATANODE) DataNode dataNode) {
      return DataNodeReads.groupChecksumBegins(dataNode.getConf());
    }

    @Advice.OnMethodExit(onThrowable = Throwable.class, suppress = Throwable.class)
    static void exit(@Advice.Enter PriorityScope scope) {
      WorkScope.close(scope);
    }
  }
}
