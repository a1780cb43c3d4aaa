// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.agent.hooks.datanode;

import java.util.List;
import org.hadoopprio.agent.hooks.HadoopTypes;
import org.hadoopprio.agent.hooks.Hook;
import org.hadoopprio.agent.hooks.ModuleBase;
import org.hadoopprio.off.AgentModule;

/** Makes a DataNode serve each read and write at the priority that the request carries. */
public final class DataNodeModule extends ModuleBase {

  public DataNodeModule() {
    super(
        AgentModule.DATANODE,
        HadoopTypes.DATA_XCEIVER,
        List.of(HadoopTypes.DATANODE),
        "every read and write of this DataNode is done at the normal priority");
  }

  @Override
  public List<Hook> hooks() {
    return List.of(
        new DataNodeServesHook(),
        new ParseHook("parse-read", HadoopTypes.OP_READ_BLOCK),
        new ParseHook("parse-write", HadoopTypes.OP_WRITE_BLOCK),
        new ParseHook("parse-transfer", HadoopTypes.OP_TRANSFER_BLOCK),
        new ParseHook("parse-block-checksum", HadoopTypes.OP_BLOCK_CHECKSUM),
        new ParseHook("parse-group-checksum", HadoopTypes.OP_BLOCK_GROUP_CHECKSUM),
        new DataXceiverReadHook(),
        new DataXceiverChecksumHook(),
        new DataXceiverGroupChecksumHook(),
        new DataXceiverWriteHook(),
        new DataXceiverTransferHook(),
        new TransferMadeHook(),
        new TransferRunHook(),
        new CheckAccessHook(),
        new BlockSenderBytesHook(),
        new ReceiveBlockHook(),
        new WrittenPacketHook(),
        new SyncBlockHook(),
        new SyncChecksumsHook(),
        new ReadaheadRequestHook(),
        new ReadaheadRunHook(),
        new WebRequestHook(),
        new WebClientHook());
  }
}
