// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.lab.bench.starvation;

import java.util.Optional;
import org.hadoopprio.hdfs.datanode.scheduler.SchedulerMode;

/**
 * A way to treat the readers of a disk: who reads, at which priority, and how the DataNode
 * schedules them. Immutable.
 */
final class ReaderSystem {

  /** What the client asks for in most systems. */
  static final String REALTIME = "rt:0";

  /** The real-time client has the disk to itself. */
  static final ReaderSystem BOUND =
      new ReaderSystem("bound", "bound (no background)", SchedulerMode.OFF);

  /** No client states a priority. */
  static final ReaderSystem STOCK = new ReaderSystem("stock", "stock", SchedulerMode.OFF, null);

  /** The DataNode's scheduler of disk time with its default share of real-time. */
  static final ReaderSystem TURNS = new ReaderSystem("turns", "turns", SchedulerMode.TURNS);

  private final String name;
  private final String label;
  private final SchedulerMode mode;
  private final String priority;

  private ReaderSystem(String name, String label, SchedulerMode mode) {
    this(name, label, mode, REALTIME);
  }

  private ReaderSystem(String name, String label, SchedulerMode mode, String priority) {
    this.name = name;
    this.label = label;
    this.mode = mode;
    this.priority = priority;
  }

  /** A mode with its defaults, and a client that asks for the given priority. */
  static ReaderSystem at(String priority, SchedulerMode mode) {
    return new ReaderSystem(
        mode + "-" + priority.replace(":", ""), priority + " in mode " + mode, mode, priority);
  }

  /** For people. */
  String label() {
    return label;
  }

  /** Whether streams read beside the real-time client. */
  boolean background() {
    return this != BOUND;
  }

  /** What the client whose latency is measured asks for. */
  Optional<String> priority() {
    return Optional.ofNullable(priority);
  }

  /** The mode of the DataNode's scheduler. */
  SchedulerMode mode() {
    return mode;
  }

  /** The value of the factor. */
  @Override
  public String toString() {
    return name;
  }
}
