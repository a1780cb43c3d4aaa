package org.hadoopprio.agent.hooks;

import java.util.List;

/**
 * Hooks that depend on each other: either all of them are woven or none.
 *
 * <p>A module applies to a process that has its presence type on the class path.
 */
public interface HookModule {

  /** A short name for logs and metrics. */
  String name();

  /** The binary name of the class whose presence means that the module applies to this process. */
  String presenceType();

  /** The consequence of switching the module off, for the log line that reports it. */
  String purpose();

  /** The hooks. */
  List<Hook> hooks();
}
