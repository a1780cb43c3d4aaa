// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.agent.hooks;

import static net.bytebuddy.matcher.ElementMatchers.named;
import static net.bytebuddy.matcher.ElementMatchers.takesArguments;
import static org.hadoopprio.off.AgentModule.DATANODE;
import static org.hadoopprio.off.AgentModule.WORK;

import net.bytebuddy.asm.Advice;
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;
import org.apache.hadoop.hdfs.server.datanode.DataNode;
import org.apache.hadoop.hdfs.server.datanode.ReplicaInfo;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.FsVolumeReference;
import org.hadoopprio.hdfs.datanode.DataNodeCopy;
import org.hadoopprio.hdfs.datanode.DataNodeWrites;

/** The replicas of a DataNode. */
public final class FsDatasetImplHooks extends TypeHooks {

  private static final String FS_DATASET_IMPL =
      "org.apache.hadoop.hdfs.server.datanode.fsdataset.impl.FsDatasetImpl";

  public FsDatasetImplHooks() {
    in(FS_DATASET_IMPL);
    hook(DATANODE, "finalized", named("finalizeBlock").and(takesArguments(2)), "Finalized");
    // Only the disk balancer calls it.
    hook(
        WORK,
        "balance-disks",
        named("moveBlockAcrossVolumes").and(takesArguments(2)),
        "BalanceDisks");
    hook(WORK, "copy-replica", named("copyReplicaToVolume").and(takesArguments(3)), "CopyReplica");
  }

  /** A block is complete, and its directories are synced if its files were. */
  static final class Finalized {
    @Advice.OnMethodExit(onThrowable = Throwable.class, suppress = Throwable.class)
    static void exit(@Advice.Argument(0) ExtendedBlock block) {
      DataNodeWrites.syncEnds(block);
    }
  }

  /** The disk balancer moves a replica, which may need a copy ({@link CopyReplica}). */
  static final class BalanceDisks {
    @Advice.OnMethodEnter(suppress = Throwable.class)
    static void enter() {
      DataNodeCopy.balancerBegins();
    }

    @Advice.OnMethodExit(onThrowable = Throwable.class, suppress = Throwable.class)
    static void exit() {
      DataNodeCopy.balancerEnds();
    }
  }

  /** A replica is copied from one volume of the DataNode to another one. */
  static final class CopyReplica {
    @Advice.OnMethodEnter(suppress = Throwable.class)
    static DataNodeCopy enter(
        @Advice.FieldValue("datanode") DataNode dataNode,
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
