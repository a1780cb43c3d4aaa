package org.hadoopprio.agent.hooks;

import java.util.List;
import org.hadoopprio.agent.Hook;
import org.hadoopprio.agent.HookModule;

/** Real-time reads of a DataNode's finalized replicas go through the engines of its volumes. */
public final class EnginesModule implements HookModule {

  @Override
  public String name() {
    return "engines";
  }

  @Override
  public String presenceType() {
    return BlockSenderPacketHook.TYPE;
  }

  @Override
  public String purpose() {
    return "real-time reads of this DataNode go through engine thread";
  }

  @Override
  public List<Hook> hooks() {
    return List.of(new DataNodeStartHook(), new SendBlockHook(), new ReadChecksumsHook());
  }
}
