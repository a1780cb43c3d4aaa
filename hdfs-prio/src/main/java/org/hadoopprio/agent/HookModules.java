package org.hadoopprio.agent;

import java.util.List;
import org.hadoopprio.agent.hooks.DataNodeModule;
import org.hadoopprio.agent.hooks.EnginesModule;
import org.hadoopprio.agent.hooks.HBaseClientModule;
import org.hadoopprio.agent.hooks.HdfsClientModule;
import org.hadoopprio.agent.hooks.RealtimeShareModule;

/** All modules of this agent. */
final class HookModules {

  static final List<HookModule> ALL =
      List.of(
          new HdfsClientModule(),
          new DataNodeModule(),
          new RealtimeShareModule(),
          new EnginesModule(),
          new HBaseClientModule());

  private HookModules() {}
}
