// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.agent;

import java.util.List;
import org.hadoopprio.agent.hooks.BlockReaderFactoryHooks;
import org.hadoopprio.agent.hooks.BlockReaderLocalHooks;
import org.hadoopprio.agent.hooks.BlockReceiverHooks;
import org.hadoopprio.agent.hooks.BlockSenderHooks;
import org.hadoopprio.agent.hooks.DFSClientHooks;
import org.hadoopprio.agent.hooks.DFSInputStreamHooks;
import org.hadoopprio.agent.hooks.DataNodeHooks;
import org.hadoopprio.agent.hooks.DataNodeWorkHooks;
import org.hadoopprio.agent.hooks.DataStreamerHooks;
import org.hadoopprio.agent.hooks.DataTransferHooks;
import org.hadoopprio.agent.hooks.DataXceiverHooks;
import org.hadoopprio.agent.hooks.FsDatasetImplHooks;
import org.hadoopprio.agent.hooks.HookModule;
import org.hadoopprio.agent.hooks.LocalReplicaHooks;
import org.hadoopprio.agent.hooks.OperationHooks;
import org.hadoopprio.agent.hooks.PacketWaitHooks;
import org.hadoopprio.agent.hooks.ReadaheadPoolHooks;
import org.hadoopprio.agent.hooks.SenderHooks;
import org.hadoopprio.agent.hooks.TypeHooks;
import org.hadoopprio.agent.hooks.WebHdfsHandlerHooks;
import org.hadoopprio.hdfs.datanode.scheduler.TurnHooks;
import org.hadoopprio.off.AgentModule;

/** The agent's modules of hooks in Hadoop. */
public final class HdfsModules {

  /** All of them. */
  public static final List<HookModule> ALL =
      List.of(
          new HdfsClient(),
          new LateReads(),
          new DataNode(),
          new Work(),
          new Scheduler(),
          new Engines(),
          new Reconfigure());

  private HdfsModules() {}

  /**
   * Makes reads and writes of an HDFS client carry the priority of the work that they are part of.
   */
  private static final class HdfsClient extends HookModule {
    HdfsClient() {
      super(
          AgentModule.HDFS_CLIENT,
          DFSInputStreamHooks.DFS_INPUT_STREAM,
          List.of(
              DFSClientHooks.DFS_CLIENT,
              SenderHooks.SENDER,
              DFSInputStreamHooks.DFS_INPUT_STREAM,
              BlockReaderFactoryHooks.BLOCK_READER_FACTORY,
              BlockReaderLocalHooks.BLOCK_READER_LOCAL,
              BlockReaderLocalHooks.BLOCK_READER_IO_PROVIDER,
              DataStreamerHooks.DATA_STREAMER),
          "reads and writes of this client are sent without a priority");
    }

    @Override
    protected List<TypeHooks> types() {
      return List.of(
          new DFSClientHooks(),
          new SenderHooks(),
          new DFSInputStreamHooks(),
          new BlockReaderFactoryHooks(),
          new BlockReaderLocalHooks(),
          new DataStreamerHooks());
    }
  }

  /** Makes reads with a latency target go to another replica when one is late. */
  private static final class LateReads extends HookModule {
    LateReads() {
      super(
          AgentModule.LATE_READS,
          DFSInputStreamHooks.DFS_INPUT_STREAM,
          List.of(
              DFSClientHooks.DFS_CLIENT,
              DFSInputStreamHooks.DFS_INPUT_STREAM,
              BlockReaderFactoryHooks.BLOCK_READER_FACTORY,
              BlockReaderFactoryHooks.BLOCK_READER_REMOTE),
          "reads of this client wait for a DataNode that misses their latency target");
    }

    @Override
    protected List<TypeHooks> types() {
      return List.of(
          new DFSInputStreamHooks(), new BlockReaderFactoryHooks(), new DFSClientHooks());
    }
  }

  /** Makes a DataNode serve each read and write at the priority that the request carries. */
  private static final class DataNode extends HookModule {
    DataNode() {
      super(
          AgentModule.DATANODE,
          DataXceiverHooks.DATA_XCEIVER,
          List.of(DataNodeHooks.DATA_NODE),
          "every read and write of this DataNode is done at the normal priority");
    }

    @Override
    protected List<TypeHooks> types() {
      return List.of(
          new DataNodeHooks(),
          new OperationHooks(),
          new DataXceiverHooks(),
          new DataTransferHooks(),
          new BlockSenderHooks(),
          new BlockReceiverHooks(),
          new FsDatasetImplHooks(),
          new ReadaheadPoolHooks(),
          new WebHdfsHandlerHooks());
    }
  }

  /** What is of no use in a DataNode that does not know the priority of a request. */
  private abstract static class OfDataNode extends HookModule {
    OfDataNode(AgentModule module, String presenceType, String purpose) {
      super(module, presenceType, List.of(DataNodeHooks.DATA_NODE), purpose);
    }

    @Override
    public final String needs() {
      return AgentModule.DATANODE.toString();
    }
  }

  /** Gives what a DataNode reads of its own accord the priority of its role. */
  private static final class Work extends OfDataNode {
    Work() {
      super(
          AgentModule.WORK,
          DataXceiverHooks.DATA_XCEIVER,
          "copies to other DataNodes and between disks, scanners and reconstruction have no priority");
    }

    @Override
    protected List<TypeHooks> types() {
      return List.of(
          new DataTransferHooks(),
          new DataXceiverHooks(),
          new FsDatasetImplHooks(),
          new DataNodeWorkHooks());
    }
  }

  /** Makes the reads of a DataNode wait for their turn at the disk. */
  private static final class Scheduler extends OfDataNode {
    Scheduler() {
      super(
          AgentModule.SCHEDULER,
          BlockSenderHooks.BLOCK_SENDER,
          "reads of this DataNode do not wait for their turn; real-time can starve all others");
    }

    @Override
    protected List<TypeHooks> types() {
      return List.of(
          new BlockSenderHooks(),
          new LocalReplicaHooks(),
          new ReadaheadPoolHooks(),
          new PacketWaitHooks());
    }

    @Override
    public void switchedOff() {
      TurnHooks.setOff(true);
    }
  }

  /** Makes real-time reads of a DataNode's finalized replicas use the engines of its volumes. */
  private static final class Engines extends OfDataNode {
    Engines() {
      super(
          AgentModule.ENGINES,
          BlockSenderHooks.BLOCK_SENDER,
          "real-time reads of this DataNode go through engine thread");
    }

    @Override
    protected List<TypeHooks> types() {
      return List.of(new DataNodeHooks(), new BlockSenderHooks(), new LocalReplicaHooks());
    }
  }

  /** Lets {@code hdfs dfsadmin -reconfig datanode} change our keys too. */
  private static final class Reconfigure extends OfDataNode {
    Reconfigure() {
      super(
          AgentModule.RECONFIGURE,
          DataNodeHooks.DATA_NODE,
          "changes to the policy and settings of this DataNode require a restart");
    }

    @Override
    protected List<TypeHooks> types() {
      return List.of(new DataNodeHooks());
    }
  }
}
