// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.agent;

import java.util.List;
import org.hadoopprio.agent.hooks.HookModule;
import org.hadoopprio.agent.hooks.client.HdfsClientModule;
import org.hadoopprio.agent.hooks.datanode.DataNodeModule;
import org.hadoopprio.agent.hooks.engines.EnginesModule;
import org.hadoopprio.agent.hooks.latereads.LateReadsModule;
import org.hadoopprio.agent.hooks.reconfigure.ReconfigureModule;
import org.hadoopprio.agent.hooks.scheduler.SchedulerModule;
import org.hadoopprio.agent.hooks.work.WorkModule;

/** The agent's modules of hooks in Hadoop, each in a package of its own under agent.hooks. */
public final class HdfsModules {

  /** All of them. */
  public static final List<HookModule> ALL =
      List.of(
          new HdfsClientModule(),
          new LateReadsModule(),
          new DataNodeModule(),
          new WorkModule(),
          new SchedulerModule(),
          new EnginesModule(),
          new ReconfigureModule());

  private HdfsModules() {}
}
