// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.hbase.agent;

import java.util.List;
import org.hadoopprio.agent.hooks.HookModule;
import org.hadoopprio.hbase.agent.hooks.client.HBaseClientModule;
import org.hadoopprio.hbase.agent.hooks.regionserver.RegionServerModule;
import org.hadoopprio.hbase.agent.hooks.regionwork.RegionWorkModule;

/** The agent's modules of hooks in HBase, each in a package of its own. */
public final class HBaseModules {

  /** All of them. */
  public static final List<HookModule> ALL =
      List.of(new RegionServerModule(), new RegionWorkModule(), new HBaseClientModule());

  private HBaseModules() {}
}
