package org.hadoopprio.agent;

import java.util.List;

/**
 * Hooks that only make sense together: all of them are woven, or none.
 *
 * <p>A module applies to a process that has its presence class on the class path.
 */
public interface HookModule {

  /** A short name for logs and metrics. */
  String name();

  /** The class whose presence means that this module has work here. */
  String presenceType();

  /** What is lost when the module is off, for the log line that says so. */
  String purpose();

  /** The hooks. */
  List<Hook> hooks();
}
