package org.hadoopprio.agent;

import java.util.List;
import org.hadoopprio.agent.hooks.DataNodeModule;
import org.hadoopprio.agent.hooks.EnginesModule;
import org.hadoopprio.agent.hooks.HBaseClientModule;
import org.hadoopprio.agent.hooks.HdfsClientModule;
import org.hadoopprio.agent.hooks.RealtimeShareModule;
import org.hadoopprio.agent.hooks.ReconfigureModule;
import org.hadoopprio.agent.hooks.RegionServerModule;

/** All modules of this agent. */
final class HookModules {

  static final List<HookModule> ALL =
      List.of(
          new HdfsClientModule(),
          new DataNodeModule(),
          new RealtimeShareModule(),
          new EnginesModule(),
          new ReconfigureModule(),
          new RegionServerModule(),
          new HBaseClientModule());

  private HookModules() {}
}
