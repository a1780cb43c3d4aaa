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
   * The binary names of the classes whose loading starts the module. All its other hooked classes
   * are loaded later, or the module is switched off. Not classes that other processes load as well:
   * there the module would cost something, and do nothing.
   */
  List<String> startTypes();

  /** The consequence of switching the module off, for the log line that reports it. */
  String purpose();

  /** The hooks. */
  List<Hook> hooks();
}
