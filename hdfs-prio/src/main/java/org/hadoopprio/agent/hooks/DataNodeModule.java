package org.hadoopprio.agent.hooks;

import java.util.List;
import org.hadoopprio.agent.Hook;
import org.hadoopprio.agent.HookModule;

/** A DataNode reads for each request at the priority it came with. */
public final class DataNodeModule implements HookModule {

  @Override
  public String name() {
    return "datanode";
  }

  @Override
  public String presenceType() {
    return DataXceiverReadHook.TYPE;
  }

  @Override
  public String purpose() {
    return "every read of this DataNode is done at the normal priority";
  }

  @Override
  public List<Hook> hooks() {
    return List.of(
        new DataNodeServesHook(),
        new ParseReadHook(),
        new DataXceiverReadHook(),
        new BlockSenderBytesHook(),
        new ReadaheadRequestHook(),
        new ReadaheadRunHook());
  }
}
