// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.agent.hooks.work;

import static net.bytebuddy.matcher.ElementMatchers.named;
import static net.bytebuddy.matcher.ElementMatchers.takesArguments;

import java.util.Map;
import net.bytebuddy.asm.Advice;
import org.apache.hadoop.hdfs.server.datanode.DataNode;
import org.apache.hadoop.hdfs.server.datanode.ReplicaInfo;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.FsVolumeReference;
import org.hadoopprio.agent.hooks.HadoopTypes;
import org.hadoopprio.agent.hooks.HookBase;
import org.hadoopprio.hdfs.datanode.DataNodeCopy;

/** A replica is copied from one volume of the DataNode to another one. */
final class CopyReplicaHook extends HookBase {

  CopyReplicaHook() {
    super(
        "copy-replica",
        HadoopTypes.FS_DATASET_IMPL,
        named("copyReplicaToVolume").and(takesArguments(3)));
  }

  private static final String DATANODE = "datanode";

  @Override
  public Map<String, String> fields() {
    return Map.of(DATANODE, HadoopTypes.DATANODE);
  }

  static final class CopyReplicaAdvice {
    @Advice.OnMethodEnter(suppress = Throwable.class)
    static DataNodeCopy enter(
        @Advice.FieldValue(DATANODE) DataNode dataNode,
        @Advice.Argument(1) ReplicaInfo source,
        @Advice.Argument(2) FsVolumeReference target) {
      return DataNodeCopy.begin(dataNode, source, target.getVolume());
    }

    @Advice.OnMethodExit(onThrowable = Throwable.class, suppress = Throwable.class)
    static void exit(@Advice.Enter DataNodeCopy begun, @Advice.Return ReplicaInfo copy) {
      DataNodeCopy.end(begun, copy);
    }
  }
}
