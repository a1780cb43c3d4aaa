// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.lab.bench.together;

import java.util.Collections;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.hadoopprio.hdfs.datanode.scheduler.SchedulerMode;
import org.hadoopprio.lab.workload.RandomMultiGets.Way;

/** How the Gets of a multi-get are sent and served. */
public enum MultiGetSystem {
  /** Stock: one call, no priority, the disk in the order of arrival. */
  ORDER_OF_ARRIVAL(SchedulerMode.OFF, Way.SERIAL),
  /** One call, whose reads have one latency target. */
  SERIAL(SchedulerMode.TURNS, Way.SERIAL),
  /** A call for each Get, one after the other, each with an equal part of the latency target. */
  EACH(SchedulerMode.TURNS, Way.EACH),
  /** {@code ParallelGets}: a call for each Get, all at once, with one latency target. */
  TOGETHER(SchedulerMode.TURNS, Way.TOGETHER);

  private final SchedulerMode mode;
  private final Way way;

  MultiGetSystem(SchedulerMode mode, Way way) {
    this.mode = mode;
    this.way = way;
  }

  /** All of them, which are measured where none are named. */
  public static Set<MultiGetSystem> byDefault() {
    return Collections.unmodifiableSet(EnumSet.allOf(MultiGetSystem.class));
  }

  /**
   * The systems of some names.
   *
   * @throws IllegalArgumentException naming what is allowed
   */
  public static Set<MultiGetSystem> named(List<String> names) {
    return SystemNames.named(MultiGetSystem.class, names);
  }

  /** Of the DataNode. */
  SchedulerMode mode() {
    return mode;
  }

  Way way() {
    return way;
  }

  boolean hasPriority() {
    return this != ORDER_OF_ARRIVAL;
  }
}
