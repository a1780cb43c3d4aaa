// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.hbase.agent.hooks.regionwork;

import java.util.List;
import org.hadoopprio.agent.hooks.Hook;
import org.hadoopprio.agent.hooks.ModuleBase;
import org.hadoopprio.hbase.agent.hooks.HBaseTypes;
import org.hadoopprio.off.AgentModule;

/** Gives what a RegionServer reads and writes of its own accord the priority of its role. */
public final class RegionWorkModule extends ModuleBase {

  /** A JVM loads the region's class early, to verify that of the RegionServer. */
  public RegionWorkModule() {
    super(
        AgentModule.REGION_WORK,
        HBaseTypes.HSTORE,
        List.of(HBaseTypes.RPC_SERVER, HBaseTypes.HREGION),
        "what the RegionServer reads and writes of its own accord has no priority");
  }

  @Override
  public List<Hook> hooks() {
    return List.of(
        new LogBlockHook(),
        new OpenLogHook(),
        new FlushHook(),
        new CompactHook(),
        new OpenStoreFileHook(),
        new PrefetchHook(),
        new BulkLoadHook(),
        new ReplicationReadHook(),
        new SplitLogHook(),
        new WriteSplitHook(),
        new ReplayEditsHook());
  }
}
