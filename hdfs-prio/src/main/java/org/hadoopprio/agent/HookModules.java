package org.hadoopprio.agent;

import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.hadoopprio.agent.hooks.HookModule;
import org.hadoopprio.agent.hooks.client.HdfsClientModule;
import org.hadoopprio.agent.hooks.datanode.DataNodeModule;
import org.hadoopprio.agent.hooks.engines.EnginesModule;
import org.hadoopprio.agent.hooks.hbaseclient.HBaseClientModule;
import org.hadoopprio.agent.hooks.latereads.LateReadsModule;
import org.hadoopprio.agent.hooks.reconfigure.ReconfigureModule;
import org.hadoopprio.agent.hooks.regionserver.RegionServerModule;
import org.hadoopprio.agent.hooks.regionwork.RegionWorkModule;
import org.hadoopprio.agent.hooks.scheduler.SchedulerModule;
import org.hadoopprio.agent.hooks.work.WorkModule;
import org.hadoopprio.off.AgentModule;

/** The modules of the agent, each in a package of its own under agent.hooks. */
final class HookModules {

  static final List<HookModule> ALL =
      List.of(
          new HdfsClientModule(),
          new LateReadsModule(),
          new DataNodeModule(),
          new WorkModule(),
          new SchedulerModule(),
          new EnginesModule(),
          new ReconfigureModule(),
          new RegionServerModule(),
          new RegionWorkModule(),
          new HBaseClientModule());

  private HookModules() {}

  /** Those that are left without some, and without those that need them. */
  static List<HookModule> without(Set<AgentModule> off) {
    Set<String> names = off.stream().map(AgentModule::toString).collect(Collectors.toSet());
    return ALL.stream()
        .filter(module -> !names.contains(module.name()) && !names.contains(module.needs()))
        .collect(Collectors.toList());
  }
}
