// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.agent.hooks;

import java.util.List;

/**
 * Hooks that depend on each other: either all of them are woven or none.
 *
 * <p>A module applies to a process that has its presence type on the class path, and starts when
 * the process is about to load one of its start types.
 */
public interface HookModule {

  /** A short name for logs and metrics. */
  String name();

  /** The binary name of the class whose presence means that the module applies to this process. */
  String presenceType();

  /**
   * The binary names of the classes whose loading starts the module. Its other hooked classes are
   * loaded later, or are woven where they are. Not classes that other processes load as well: there
   * the module would cost something, and do nothing.
   */
  List<String> startTypes();

  /**
   * The name of the module without which this one is switched off, too, because it would do only a
   * part of what it is for; null for none.
   */
  default String needs() {
    return null;
  }

  /** The consequence of switching the module off, for the log line that reports it. */
  String purpose();

  /** The hooks. */
  List<Hook> hooks();

  /**
   * The module is off in this process. Called while a class is being loaded, so it must not use
   * Hadoop's.
   */
  default void switchedOff() {}
}
