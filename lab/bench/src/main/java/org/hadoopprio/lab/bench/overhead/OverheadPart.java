package org.hadoopprio.lab.bench.overhead;

/** A part of the experiment, which can be measured without the others. */
public enum OverheadPart {
  /** The agent with and without hints. */
  HINTS,
  /** The DataNode's engines. */
  ENGINES,
  /** The DataNode's scheduler of disk time. */
  SCHEDULER,
  /** What the agent adds to the start of a MapReduce task. */
  TASKS
}
