// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.agent.hooks;

import java.util.ArrayList;
import java.util.List;
import org.hadoopprio.off.AgentModule;

/**
 * Hooks that depend on each other: either all of them are woven or none.
 *
 * <p>A module applies to a process that has its presence type on the class path, and starts when
 * the process is about to load one of its start types.
 */
public abstract class HookModule {

  private final AgentModule module;
  private final String presenceType;
  private final List<String> startTypes;
  private final String purpose;

  /** Describes a module; see the methods. */
  protected HookModule(
      AgentModule module, String presenceType, List<String> startTypes, String purpose) {
    this.module = module;
    this.presenceType = presenceType;
    this.startTypes = startTypes;
    this.purpose = purpose;
  }

  /** A short name for logs and metrics. */
  public final String name() {
    return module.toString();
  }

  /** The binary name of the class whose presence means that the module applies to this process. */
  public final String presenceType() {
    return presenceType;
  }

  /**
   * The binary names of the classes whose loading starts the module. Its other hooked classes are
   * loaded later, or are woven where they are. Not classes that other processes load as well: there
   * the module would cost something, and do nothing.
   */
  public final List<String> startTypes() {
    return startTypes;
  }

  /**
   * The name of the module without which this one is switched off, too, because it would do only a
   * part of what it is for; null for none.
   */
  public String needs() {
    return null;
  }

  /** The consequence of switching the module off, for the log line that reports it. */
  public final String purpose() {
    return purpose;
  }

  /** All that have hooks of the module; made when it starts, and so loaded where it does. */
  protected abstract List<TypeHooks> types();

  /** The hooks. */
  public final List<Hook> hooks() {
    List<Hook> hooks = new ArrayList<>();
    for (TypeHooks type : types()) {
      hooks.addAll(type.of(module));
    }
    return hooks;
  }

  /**
   * The module is off in this process. Called while a class is being loaded, so it must not use
   * Hadoop's.
   */
  public void switchedOff() {}
}
