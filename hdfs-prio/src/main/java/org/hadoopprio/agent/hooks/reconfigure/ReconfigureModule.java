// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.agent.hooks.reconfigure;

import java.util.List;
import org.hadoopprio.agent.hooks.HadoopTypes;
import org.hadoopprio.agent.hooks.Hook;
import org.hadoopprio.agent.hooks.HookModule;
import org.hadoopprio.off.AgentModule;

/** Lets {@code hdfs dfsadmin -reconfig datanode} change our keys too. */
public final class ReconfigureModule implements HookModule {

  @Override
  public String name() {
    return AgentModule.RECONFIGURE.toString();
  }

  @Override
  public String presenceType() {
    return HadoopTypes.DATANODE;
  }

  @Override
  public List<String> startTypes() {
    return List.of(HadoopTypes.DATANODE);
  }

  @Override
  public String needs() {
    return AgentModule.DATANODE.toString();
  }

  @Override
  public String purpose() {
    return "changes to the policy and settings of this DataNode require a restart";
  }

  @Override
  public List<Hook> hooks() {
    return List.of(
        new ReconfigurableKeysHook(), new ReconfigureHook(), new ChangedPropertiesHook());
  }
}
