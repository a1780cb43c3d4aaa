// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.lab.bench.late;

import java.util.List;
import java.util.Locale;
import org.hadoopprio.hdfs.datanode.scheduler.SchedulerMode;

/** How the client and the DataNodes deal with a disk that is late. */
enum LateSystem {
  /** HDFS alone. */
  STOCK(SchedulerMode.OFF),
  /**
   * HDFS alone; the client asks another DataNode, too, after the 95th percentile of what reads take
   * when nothing is wrong.
   */
  HEDGED(SchedulerMode.OFF),
  /** Reads state a latency target. */
  TARGETS(SchedulerMode.TURNS);

  /** What reads of the last system state. */
  static final String PRIORITY = "rt:0@100ms";

  private final SchedulerMode mode;

  LateSystem(SchedulerMode mode) {
    this.mode = mode;
  }

  /** The mode of the DataNodes' volumes. */
  SchedulerMode mode() {
    return mode;
  }

  /**
   * The options of the client.
   *
   * @param p95Ms of reads when nothing is wrong
   * @param threads of the client
   */
  List<String> options(double p95Ms, int threads) {
    switch (this) {
      case HEDGED:
        return List.of(
            "--conf=dfs.client.hedged.read.threadpool.size=" + threads,
            "--conf=dfs.client.hedged.read.threshold.millis=" + Math.round(p95Ms));
      case TARGETS:
        return List.of("--priority=" + PRIORITY);
      default:
        return List.of();
    }
  }

  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT);
  }
}
