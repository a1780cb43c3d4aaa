// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.lab.bench.overhead;

import org.hadoopprio.hdfs.datanode.scheduler.SchedulerMode;
import org.hadoopprio.lab.bench.experiment.EnumNames;

/**
 * What reads are compared in. The processes stay the same: two that run the same code differ by
 * more than what is looked for.
 */
enum State {
  /** The DataNode serves as stock HDFS does, but for the woven hooks. */
  OFF(SchedulerMode.OFF, false),

  /** It counts what would happen. */
  OBSERVE(SchedulerMode.OBSERVE, false),

  /** Reads without a priority, in turns. */
  TURNS(SchedulerMode.TURNS, false),

  /** Reads that state one, in turns. */
  HINT(SchedulerMode.TURNS, true);

  private final SchedulerMode mode;
  private final boolean hinted;

  State(SchedulerMode mode, boolean hinted) {
    this.mode = mode;
    this.hinted = hinted;
  }

  /** Of the DataNode's scheduler. */
  SchedulerMode mode() {
    return mode;
  }

  /** Whether the client states a priority. */
  boolean hinted() {
    return hinted;
  }

  /** Its name in results. */
  String label() {
    return EnumNames.text(this);
  }
}
