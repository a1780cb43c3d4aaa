// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.lab.bench.together;

import java.util.Collections;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.hadoopprio.hdfs.datanode.scheduler.SchedulerMode;

/** How the reads of outputs and the streams beside them share the disk. */
public enum OutputsSystem {
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

  private static final Set<OutputsSystem> BY_DEFAULT =
      Collections.unmodifiableSet(EnumSet.complementOf(EnumSet.of(AT_ONCE)));

  private final SchedulerMode mode;
  private final int pieces;

  OutputsSystem(SchedulerMode mode, int pieces) {
    this.mode = mode;
    this.pieces = pieces;
  }

  /** Those that are measured where none are named. */
  public static Set<OutputsSystem> byDefault() {
    return BY_DEFAULT;
  }

  /**
   * The systems of some names; {@code all} is all of them.
   *
   * @throws IllegalArgumentException naming what is allowed
   */
  public static Set<OutputsSystem> named(List<String> names) {
    return SystemNames.named(OutputsSystem.class, names);
  }

  /** Of the DataNode. */
  SchedulerMode mode() {
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
