package org.hadoopprio.agent.hooks.share;

import java.util.List;
import org.hadoopprio.agent.hooks.HadoopTypes;
import org.hadoopprio.agent.hooks.Hook;
import org.hadoopprio.agent.hooks.HookModule;

/** Makes a DataNode limit its real-time reads to a share of a volume's disk time. */
public final class RealtimeShareModule implements HookModule {

  @Override
  public String name() {
    return "realtime-share";
  }

  @Override
  public String presenceType() {
    return HadoopTypes.BLOCK_SENDER;
  }

  @Override
  public String purpose() {
    return "real-time reads of this DataNode can starve all others";
  }

  @Override
  public List<Hook> hooks() {
    return List.of(
        new BlockSenderPacketHook(),
        new BlockSenderReadaheadHook(),
        new SocketWaitHook(),
        new ThrottlerWaitHook());
  }
}
