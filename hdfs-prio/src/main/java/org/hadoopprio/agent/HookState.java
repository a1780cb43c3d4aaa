// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.agent;

import org.hadoopprio.agent.hooks.Hook;
import org.hadoopprio.agent.hooks.HookModule;

/** A hook and its state in this process. Thread-safe. */
final class HookState {

  private final Hook hook;
  private final String label;

  /** Why the hook is off for good; null if it is not. */
  private volatile String problem;

  private volatile boolean loadedTooEarly;
  private volatile boolean woven;

  HookState(HookModule module, Hook hook) {
    this.hook = hook;
    this.label = module.name() + "/" + hook.name();
  }

  Hook hook() {
    return hook;
  }

  /** The class has been loaded without the hook. */
  void setLoadedTooEarly() {
    loadedTooEarly = true;
  }

  void setWoven(boolean isWoven) {
    woven = isWoven;
    loadedTooEarly = false;
  }

  void failed(String reason) {
    problem = reason;
  }

  /** Whether it is off for good. */
  boolean isOff() {
    return problem != null;
  }

  boolean isWoven() {
    return woven;
  }

  /** Whether the hook is in force: it fits, and its class has it woven in once it is loaded. */
  boolean isApplied() {
    return problem == null && !loadedTooEarly;
  }

  @Override
  public String toString() {
    if (problem != null) {
      return label + ": off, " + problem;
    }
    if (loadedTooEarly) {
      return label + ": off, class " + hook.typeName() + " was loaded before it could be woven";
    }
    return label + (woven ? ": applied" : ": applied when its class is loaded");
  }
}
