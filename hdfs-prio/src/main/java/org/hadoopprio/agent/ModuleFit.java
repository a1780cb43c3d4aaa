// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.agent;

import java.util.Map;
import org.hadoopprio.agent.hooks.HookModule;

/** What would become of a module in a process with certain class files. Immutable. */
public final class ModuleFit {

  /** What the agent would do with it. */
  public enum State {
    /** All of its hooks fit. */
    FITS,
    /** It would be off: as a whole, though some of its hooks may fit. */
    OFF,
    /** It is for a program that is not there. */
    ABSENT
  }

  private final HookModule module;
  private final State state;
  private final String place;
  private final Map<String, String> misfits;

  ModuleFit(HookModule module, State state, String place, Map<String, String> misfits) {
    this.module = module;
    this.state = state;
    this.place = place;
    this.misfits = misfits;
  }

  /** The name by which the module is switched off. */
  public String name() {
    return module.name();
  }

  /** What the agent would do with it. */
  public State state() {
    return state;
  }

  /** The jar or directory with the module's program; empty if it is not there. */
  public String place() {
    return place;
  }

  /** How many hooks it has. */
  public int hooks() {
    return module.hooks().size();
  }

  /** The hooks that do not fit, with the reason; empty also where it is off for another module. */
  public Map<String, String> misfits() {
    return misfits;
  }

  /** The name of the module without which it would be off; null for none. */
  public String needs() {
    return module.needs();
  }

  /** What being off means. */
  public String purpose() {
    return module.purpose();
  }
}
