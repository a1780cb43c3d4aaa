// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.lab.bench.latency;

import org.hadoopprio.hdfs.datanode.scheduler.SchedulerMode;
import org.hadoopprio.lab.bench.bed.TriedSystem;
import org.hadoopprio.lab.workload.RandomMultiGets.Way;

/** How the Gets of a multi-get are sent and served. */
public enum MultiGetSystem implements TriedSystem {
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

  @Override
  public SchedulerMode mode() {
    return mode;
  }

  Way way() {
    return way;
  }

  boolean hasPriority() {
    return this != ORDER_OF_ARRIVAL;
  }
}
