// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.hbase.agent;

import java.util.List;
import org.hadoopprio.agent.hooks.HookModule;
import org.hadoopprio.agent.hooks.TypeHooks;
import org.hadoopprio.hbase.agent.hooks.ConfigurationManagerHooks;
import org.hadoopprio.hbase.agent.hooks.HRegionHooks;
import org.hadoopprio.hbase.agent.hooks.HStoreHooks;
import org.hadoopprio.hbase.agent.hooks.RpcClientFactoryHooks;
import org.hadoopprio.hbase.agent.hooks.RpcServerHooks;
import org.hadoopprio.hbase.agent.hooks.StoreScannerHooks;
import org.hadoopprio.hbase.agent.hooks.WriteAheadLogHooks;
import org.hadoopprio.off.AgentModule;

/** The agent's modules of hooks in HBase. */
public final class HBaseModules {

  /** All of them. */
  public static final List<HookModule> ALL =
      List.of(new RegionServer(), new RegionWork(), new HBaseClient());

  private HBaseModules() {}

  /**
   * Reports what coprocessors of a RegionServer do not learn: the end of a call, a slow call, the
   * change of a scan from positioned reads to a stream, seeks on other threads, reads under locks
   * that others need, a new configuration.
   */
  private static final class RegionServer extends HookModule {
    RegionServer() {
      super(
          AgentModule.REGIONSERVER,
          RpcServerHooks.RPC_SERVER,
          List.of(RpcServerHooks.RPC_SERVER, ConfigurationManagerHooks.CONFIGURATION_MANAGER),
          "calls are not measured by class, caps on concurrent calls are not enforced,"
              + " the slow log shows no priorities, a long scan's change to a stream and parallel"
              + " seeks read without a priority, reads below normal hold locks that others need,"
              + " and changes to the policy require a restart");
    }

    @Override
    protected List<TypeHooks> types() {
      return List.of(
          new RpcServerHooks(),
          new StoreScannerHooks(),
          new HStoreHooks(),
          new ConfigurationManagerHooks());
    }
  }

  /** Gives what a RegionServer reads and writes of its own accord the priority of its role. */
  private static final class RegionWork extends HookModule {
    /** A JVM loads the region's class early, to verify that of the RegionServer. */
    RegionWork() {
      super(
          AgentModule.REGION_WORK,
          HStoreHooks.HSTORE,
          List.of(RpcServerHooks.RPC_SERVER, HRegionHooks.HREGION),
          "what the RegionServer reads and writes of its own accord has no priority");
    }

    @Override
    protected List<TypeHooks> types() {
      return List.of(new WriteAheadLogHooks(), new HStoreHooks(), new HRegionHooks());
    }
  }

  /**
   * Makes HBase connections of a process with {@code HADOOP_IO_PRIORITY} carry that priority, so
   * that a stock MapReduce job over a table has it without a change to its code.
   */
  private static final class HBaseClient extends HookModule {
    HBaseClient() {
      super(
          AgentModule.HBASE_CLIENT,
          RpcClientFactoryHooks.RPC_CLIENT_FACTORY,
          List.of(RpcClientFactoryHooks.RPC_CLIENT_FACTORY),
          "HADOOP_IO_PRIORITY does not reach HBase from this process"
              + " (connection attributes came with HBase 2.6)");
    }

    @Override
    protected List<TypeHooks> types() {
      return List.of(new RpcClientFactoryHooks());
    }
  }
}
