package org.hadoopprio.agent;

import org.hadoopprio.agent.hooks.Hook;
import org.hadoopprio.agent.hooks.HookModule;

/** The state of one hook in this process. */
final class HookState {

  private final String label;
  private volatile String problem;
  private volatile boolean woven;

  HookState(HookModule module, Hook hook) {
    this.label = module.name() + "/" + hook.name();
  }

  void woven() {
    woven = true;
  }

  void failed(String reason) {
    problem = reason;
  }

  /** Whether the hook is in force: it fits, and its class has it woven in once it is loaded. */
  boolean isApplied() {
    return problem == null;
  }

  @Override
  public String toString() {
    if (problem != null) {
      return label + ": off, " + problem;
    }
    return label + (woven ? ": applied" : ": applied when its class is loaded");
  }
}
