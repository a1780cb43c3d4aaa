// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.premain;

import java.lang.instrument.Instrumentation;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import org.hadoopprio.agent.HdfsModules;
import org.hadoopprio.agent.PriorityAgent;
import org.hadoopprio.agent.hooks.HookModule;
import org.hadoopprio.hbase.agent.HBaseModules;

/**
 * The agent is put together here, and only here: its part for Hadoop knows nothing of HBase's.
 *
 * <p>The list is written out. To look for modules on the class path would cost each task of a job
 * something, and miss one silently if the jar were packed without it.
 */
public final class AllModules implements Supplier<List<HookModule>> {

  /** Starts the agent with all modules; called by {@link Premain}. */
  public static void start(String argument, Instrumentation instrumentation) {
    PriorityAgent.start(argument, instrumentation, new AllModules());
  }

  @Override
  public List<HookModule> get() {
    List<HookModule> all = new ArrayList<>(HdfsModules.ALL);
    all.addAll(HBaseModules.ALL);
    return all;
  }
}
