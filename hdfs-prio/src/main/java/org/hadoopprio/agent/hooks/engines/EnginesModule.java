// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.agent.hooks.engines;

import java.util.List;
import org.hadoopprio.agent.hooks.HadoopTypes;
import org.hadoopprio.agent.hooks.Hook;
import org.hadoopprio.agent.hooks.ModuleBase;
import org.hadoopprio.off.AgentModule;

/** Makes real-time reads of a DataNode's finalized replicas use the engines of its volumes. */
public final class EnginesModule extends ModuleBase {

  public EnginesModule() {
    super(
        AgentModule.ENGINES,
        HadoopTypes.BLOCK_SENDER,
        List.of(HadoopTypes.DATANODE),
        "real-time reads of this DataNode go through engine thread");
  }

  @Override
  public String needs() {
    return AgentModule.DATANODE.toString();
  }

  @Override
  public List<Hook> hooks() {
    return List.of(
        new DataNodeStartHook(), new AnswerHook(), new SendBlockHook(), new ReadChecksumsHook());
  }
}
