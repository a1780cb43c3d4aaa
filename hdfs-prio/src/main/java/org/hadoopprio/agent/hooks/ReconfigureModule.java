package org.hadoopprio.agent.hooks;

import java.util.List;
import org.hadoopprio.agent.Hook;
import org.hadoopprio.agent.HookModule;

/** {@code hdfs dfsadmin -reconfig datanode} changes our keys too. */
public final class ReconfigureModule implements HookModule {

  @Override
  public String name() {
    return "reconfigure";
  }

  @Override
  public String presenceType() {
    return BlockSenderPacketHook.DATANODE_TYPE;
  }

  @Override
  public String purpose() {
    return "policy and settings of this DataNode change at its restart only";
  }

  @Override
  public List<Hook> hooks() {
    return List.of(
        new ReconfigurableKeysHook(), new ReconfigureHook(), new ChangedPropertiesHook());
  }
}
