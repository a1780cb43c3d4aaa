// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.hbase.agent.hooks.regionserver;

import java.util.List;
import org.hadoopprio.agent.hooks.Hook;
import org.hadoopprio.agent.hooks.ModuleBase;
import org.hadoopprio.hbase.agent.hooks.HBaseTypes;
import org.hadoopprio.off.AgentModule;

/**
 * Reports what coprocessors of a RegionServer do not learn: the end of a call, a slow call, the
 * change of a scan from positioned reads to a stream, seeks on other threads, reads under locks
 * that others need, a new configuration.
 */
public final class RegionServerModule extends ModuleBase {

  public RegionServerModule() {
    super(
        AgentModule.REGIONSERVER,
        HBaseTypes.RPC_SERVER,
        List.of(HBaseTypes.RPC_SERVER, HBaseTypes.CONFIGURATION_MANAGER),
        "calls are not measured by class, caps on concurrent calls are not enforced,"
            + " the slow log shows no priorities, a long scan's change to a stream and parallel"
            + " seeks read without a priority, reads below normal hold locks that others need, and"
            + " changes to the policy require a restart");
  }

  @Override
  public List<Hook> hooks() {
    return List.of(
        new ServedCallHook(),
        new SlowCallHook(),
        new SwitchToStreamHook(),
        new SeekMadeHook(),
        new SeekRunsHook(),
        LockedReadHook.ofStore(),
        LockedReadHook.ofReopenedFiles(),
        LockedReadHook.ofSplitPoint(),
        LockedReadHook.ofMobFile(),
        new UpdateConfigHook());
  }
}
