// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.lab.bench.latency;

import java.util.List;
import org.hadoopprio.hdfs.datanode.scheduler.SchedulerMode;
import org.hadoopprio.lab.bench.bed.TriedSystem;

/** How the client and the DataNodes deal with a disk that is late. */
public enum FaultsSystem implements TriedSystem {
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

  FaultsSystem(SchedulerMode mode) {
    this.mode = mode;
  }

  @Override
  public SchedulerMode mode() {
    return mode;
  }

  /**
   * The options of the client.
   *
   * @param p95Ms of reads when nothing is wrong
   * @param threads of the client
   */
  List<String> options(double p95Ms, int threads) {
    return switch (this) {
      case HEDGED ->
          List.of(
              "--conf=dfs.client.hedged.read.threadpool.size=" + threads,
              "--conf=dfs.client.hedged.read.threshold.millis=" + Math.round(p95Ms));
      case TARGETS -> List.of("--priority=" + PRIORITY);
      default -> List.of();
    };
  }
}
