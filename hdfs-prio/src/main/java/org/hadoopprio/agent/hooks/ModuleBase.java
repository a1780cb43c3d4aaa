// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.agent.hooks;

import java.util.List;
import org.hadoopprio.off.AgentModule;

/** A module that is stated by what it is called, where it starts, and its hooks. */
public abstract class ModuleBase implements HookModule {

  private final String name;
  private final String presenceType;
  private final List<String> startTypes;
  private final String purpose;

  protected ModuleBase(
      AgentModule module, String presenceType, List<String> startTypes, String purpose) {
    this.name = module.toString();
    this.presenceType = presenceType;
    this.startTypes = startTypes;
    this.purpose = purpose;
  }

  @Override
  public final String name() {
    return name;
  }

  @Override
  public final String presenceType() {
    return presenceType;
  }

  @Override
  public final List<String> startTypes() {
    return startTypes;
  }

  @Override
  public final String purpose() {
    return purpose;
  }
}
