package org.hadoopprio.agent.hooks;

import java.util.List;
import org.hadoopprio.agent.Hook;
import org.hadoopprio.agent.HookModule;

/** Reads of an HDFS client carry the priority of the work they are for. */
public final class HdfsClientModule implements HookModule {

  @Override
  public String name() {
    return "hdfs-client";
  }

  @Override
  public String presenceType() {
    return DfsInputStream.TYPE;
  }

  @Override
  public String purpose() {
    return "reads of this client are sent without a priority";
  }

  @Override
  public List<Hook> hooks() {
    return List.of(
        new ClientDefaultHook(),
        new SenderHook(),
        new OpenBlockHook(),
        new SequentialReadHook(),
        new PositionedReadHook(),
        new HedgedReadHook(),
        new ShortCircuitOpenHook(),
        new ShortCircuitReadHook());
  }
}
