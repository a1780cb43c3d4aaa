// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.agent.hooks.work;

import java.util.List;
import org.hadoopprio.agent.hooks.HadoopTypes;
import org.hadoopprio.agent.hooks.Hook;
import org.hadoopprio.agent.hooks.ModuleBase;
import org.hadoopprio.off.AgentModule;

/** Gives what a DataNode reads of its own accord the priority of its role. */
public final class WorkModule extends ModuleBase {

  public WorkModule() {
    super(
        AgentModule.WORK,
        HadoopTypes.DATA_XCEIVER,
        List.of(HadoopTypes.DATANODE),
        "copies to other DataNodes and between disks, scanners and reconstruction have no priority");
  }

  @Override
  public String needs() {
    return AgentModule.DATANODE.toString();
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
