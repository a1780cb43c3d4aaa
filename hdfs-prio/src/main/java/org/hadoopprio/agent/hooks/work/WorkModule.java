// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.agent.hooks.work;

import java.util.List;
import org.hadoopprio.agent.hooks.HadoopTypes;
import org.hadoopprio.agent.hooks.Hook;
import org.hadoopprio.agent.hooks.HookModule;
import org.hadoopprio.off.AgentModule;

/** Gives what a DataNode reads of its own accord the priority of its role. */
public final class WorkModule implements HookModule {

  @Override
  public String name() {
    return AgentModule.WORK.toString();
  }

  @Override
  public String presenceType() {
    return HadoopTypes.DATA_XCEIVER;
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
    return "copies to other DataNodes and between disks, scanners and reconstruction have no priority";
  }

  @Override
  public List<Hook> hooks() {
    return List.of(
        new SendReplicaHook(),
        new CopyBlockHook(),
        new BalanceDisksHook(),
        new CopyReplicaHook(),
        new ScanBlockHook(),
        new ListDirectoriesHook(),
        new CacheBlockHook(),
        new ReconstructHook());
  }
}
