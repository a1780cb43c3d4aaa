package org.hadoopprio.metrics;

import java.util.List;

/** Which hooks are in force; the agent knows. */
public interface HookStatus {

  /** Hooks in force. */
  int applied();

  /** Hooks that apply to what is on this process's class path. */
  int total();

  /** A line per hook. */
  List<String> states();
}
