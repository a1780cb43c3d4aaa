// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.lab.bench.latency;

import org.hadoopprio.hdfs.datanode.scheduler.SchedulerMode;
import org.hadoopprio.lab.bench.bed.TriedSystem;

/** What latency targets the reads of outputs have, beside streams. */
public enum OutputsSystem implements TriedSystem {
  /** Each read has a latency target of its own, an equal part of its output's. */
  OWN_DEADLINES,
  /** The reads of an output have one latency target, and each says how many follow. */
  CONTAINERS;

  @Override
  public SchedulerMode mode() {
    return SchedulerMode.TURNS;
  }
}
