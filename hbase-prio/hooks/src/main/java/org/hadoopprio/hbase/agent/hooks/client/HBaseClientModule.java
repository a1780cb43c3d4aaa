// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.hbase.agent.hooks.client;

import java.util.List;
import org.hadoopprio.agent.hooks.Hook;
import org.hadoopprio.agent.hooks.ModuleBase;
import org.hadoopprio.hbase.agent.hooks.HBaseTypes;
import org.hadoopprio.off.AgentModule;

/**
 * Makes HBase connections of a process with {@code HADOOP_IO_PRIORITY} carry that priority, so that
 * a stock MapReduce job over a table has it without a change to its code.
 */
public final class HBaseClientModule extends ModuleBase {

  public HBaseClientModule() {
    super(
        AgentModule.HBASE_CLIENT,
        HBaseTypes.RPC_CLIENT_FACTORY,
        List.of(HBaseTypes.RPC_CLIENT_FACTORY),
        "HADOOP_IO_PRIORITY does not reach HBase from this process"
            + " (connection attributes came with HBase 2.6)");
  }

  @Override
  public List<Hook> hooks() {
    return List.of(new ConnectionAttributesHook());
  }
}
