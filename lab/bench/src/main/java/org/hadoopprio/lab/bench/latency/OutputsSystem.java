// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.lab.bench.latency;

import org.hadoopprio.hdfs.datanode.scheduler.SchedulerMode;
import org.hadoopprio.lab.bench.bed.TriedSystem;

/** How the reads of outputs and the streams beside them share the disk. */
public enum OutputsSystem implements TriedSystem {
  /** Each read has a latency target of its own, an equal part of its output's. */
  OWN_DEADLINES(SchedulerMode.TURNS, 0),
  /** The reads of an output have one latency target, and each says how many follow. */
  CONTAINERS(SchedulerMode.TURNS, 0),
  /** Real-time without a latency target: each read goes at once. */
  AT_ONCE(SchedulerMode.TURNS, 0),
  /** For each read, 8 pieces of streams, whatever time that takes. */
  BATCH_8(SchedulerMode.OFF, 8),
  /** The same with 16. */
  BATCH_16(SchedulerMode.OFF, 16);

  private final SchedulerMode mode;
  private final int pieces;

  OutputsSystem(SchedulerMode mode, int pieces) {
    this.mode = mode;
    this.pieces = pieces;
  }

  @Override
  public SchedulerMode mode() {
    return mode;
  }

  /** Whether the client itself mixes reads and streams; else the DataNode's scheduler does. */
  boolean isMix() {
    return pieces > 0;
  }

  /** Pieces of streams for each read, of a mix. */
  int pieces() {
    return pieces;
  }
}
