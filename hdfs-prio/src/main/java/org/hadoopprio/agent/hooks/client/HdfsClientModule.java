// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.agent.hooks.client;

import java.util.List;
import org.hadoopprio.agent.hooks.HadoopTypes;
import org.hadoopprio.agent.hooks.Hook;
import org.hadoopprio.agent.hooks.ModuleBase;
import org.hadoopprio.off.AgentModule;

/**
 * Makes reads and writes of an HDFS client carry the priority of the work that they are part of.
 */
public final class HdfsClientModule extends ModuleBase {

  public HdfsClientModule() {
    super(
        AgentModule.HDFS_CLIENT,
        HadoopTypes.DFS_INPUT_STREAM,
        List.of(
            HadoopTypes.DFS_CLIENT,
            HadoopTypes.SENDER,
            HadoopTypes.DFS_INPUT_STREAM,
            HadoopTypes.BLOCK_READER_FACTORY,
            HadoopTypes.BLOCK_READER_LOCAL,
            HadoopTypes.BLOCK_READER_IO_PROVIDER,
            HadoopTypes.DATA_STREAMER),
        "reads and writes of this client are sent without a priority");
  }

  @Override
  public List<Hook> hooks() {
    return List.of(
        new ClientDefaultHook(),
        new SenderHook(),
        new OpenBlockHook(),
        new SequentialReadHook(),
        new PositionedReadHook(
            "positioned-read", HadoopTypes.DFS_INPUT_STREAM, "actualGetFromOneDataNode"),
        new HedgedReadHook(),
        new PositionedReadHook(
            "striped-positioned-read", HadoopTypes.DFS_STRIPED_INPUT_STREAM, "fetchBlockByteRange"),
        new StripedSequentialReadHook(),
        new StripePartHook(),
        new FileChecksumHook(),
        new ShortCircuitOpenHook(),
        new ShortCircuitReadHook(),
        new ShortCircuitFileHook(),
        new ShortCircuitCloseHook(),
        new LegacyShortCircuitHook(),
        new StreamerMadeHook(),
        new StreamerRunHook());
  }
}
