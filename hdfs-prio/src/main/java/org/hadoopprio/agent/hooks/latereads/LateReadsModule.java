// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.agent.hooks.latereads;

import java.util.List;
import org.hadoopprio.agent.hooks.HadoopTypes;
import org.hadoopprio.agent.hooks.Hook;
import org.hadoopprio.agent.hooks.ModuleBase;
import org.hadoopprio.off.AgentModule;

/** Makes reads with a latency target go to another replica when one is late. */
public final class LateReadsModule extends ModuleBase {

  public LateReadsModule() {
    super(
        AgentModule.LATE_READS,
        HadoopTypes.DFS_INPUT_STREAM,
        List.of(
            HadoopTypes.DFS_CLIENT,
            HadoopTypes.DFS_INPUT_STREAM,
            HadoopTypes.BLOCK_READER_FACTORY,
            HadoopTypes.BLOCK_READER_REMOTE),
        "reads of this client wait for a DataNode that misses their latency target");
  }

  @Override
  public List<Hook> hooks() {
    return List.of(
        new PositionedBlockHook(),
        new ChooseNodeHook(),
        new AskNodeHook(),
        new RefusedAnswerHook(),
        new ReadFailedHook(),
        new DeadNodeHook(),
        new DeadNodeOfClientHook());
  }
}
