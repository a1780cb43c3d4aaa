// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.agent.hooks.scheduler;

import java.util.List;
import org.hadoopprio.agent.hooks.HadoopTypes;
import org.hadoopprio.agent.hooks.Hook;
import org.hadoopprio.agent.hooks.ModuleBase;
import org.hadoopprio.hdfs.datanode.scheduler.TurnHooks;
import org.hadoopprio.off.AgentModule;

/** Makes the reads of a DataNode wait for their turn at the disk. */
public final class SchedulerModule extends ModuleBase {

  public SchedulerModule() {
    super(
        AgentModule.SCHEDULER,
        HadoopTypes.BLOCK_SENDER,
        List.of(HadoopTypes.DATANODE),
        "reads of this DataNode do not wait for their turn; real-time can starve all others");
  }

  @Override
  public String needs() {
    return AgentModule.DATANODE.toString();
  }

  @Override
  public List<Hook> hooks() {
    return List.of(
        new BlockSenderPacketHook(),
        new OpenChecksumsHook(),
        new ReadaheadLengthHook(),
        new SocketWaitHook(),
        new DomainSocketWriteHook(),
        new ThrottlerWaitHook());
  }

  @Override
  public void switchedOff() {
    TurnHooks.setOff(true);
  }
}
