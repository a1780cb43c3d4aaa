package org.hadoopprio.agent.hooks;

import java.util.List;
import org.hadoopprio.agent.Hook;
import org.hadoopprio.agent.HookModule;

/** What only HBase's server can tell: a call is over, it was slow, the configuration is new. */
public final class RegionServerModule implements HookModule {

  @Override
  public String name() {
    return "regionserver";
  }

  @Override
  public String presenceType() {
    return ServedCallHook.TYPE;
  }

  @Override
  public String purpose() {
    return "calls are not measured by class, caps on calls at a time are not kept,"
        + " the slow log shows no priority, and the policy changes at a restart only";
  }

  @Override
  public List<Hook> hooks() {
    return List.of(new ServedCallHook(), new SlowCallHook(), new UpdateConfigHook());
  }
}
