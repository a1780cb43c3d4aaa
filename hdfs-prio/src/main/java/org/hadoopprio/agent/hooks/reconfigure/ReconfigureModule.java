// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.agent.hooks.reconfigure;

import java.util.List;
import org.hadoopprio.agent.hooks.HadoopTypes;
import org.hadoopprio.agent.hooks.Hook;
import org.hadoopprio.agent.hooks.ModuleBase;
import org.hadoopprio.off.AgentModule;

/** Lets {@code hdfs dfsadmin -reconfig datanode} change our keys too. */
public final class ReconfigureModule extends ModuleBase {

  public ReconfigureModule() {
    super(
        AgentModule.RECONFIGURE,
        HadoopTypes.DATANODE,
        List.of(HadoopTypes.DATANODE),
        "changes to the policy and settings of this DataNode require a restart");
  }

  @Override
  public String needs() {
    return AgentModule.DATANODE.toString();
  }

  @Override
  public List<Hook> hooks() {
    return List.of(
        new ReconfigurableKeysHook(), new ReconfigureHook(), new ChangedPropertiesHook());
  }
}
