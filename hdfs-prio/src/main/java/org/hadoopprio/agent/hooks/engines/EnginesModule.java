// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.agent.hooks.engines;

import java.util.List;
import org.hadoopprio.agent.hooks.HadoopTypes;
import org.hadoopprio.agent.hooks.Hook;
import org.hadoopprio.agent.hooks.HookModule;
import org.hadoopprio.off.AgentModule;

/** Makes real-time reads of a DataNode's finalized replicas use the engines of its volumes. */
public final class EnginesModule implements HookModule {

  @Override
  public String name() {
    return AgentModule.ENGINES.toString();
  }

  @Override
  public String presenceType() {
    return HadoopTypes.BLOCK_SENDER;
  }

  @Override
  public List<String> startTypes() {
    return List.of(HadoopTypes.DATANODE);
  }

  @Override
  public String needs() {
    return AgentModule.DATANODE.toString();
  }

  @Override
  public String purpose() {
    return "real-time reads of this DataNode go through engine thread";
  }

  @Override
  public List<Hook> hooks() {
    return List.of(
        new DataNodeStartHook(), new AnswerHook(), new SendBlockHook(), new ReadChecksumsHook());
  }
}
