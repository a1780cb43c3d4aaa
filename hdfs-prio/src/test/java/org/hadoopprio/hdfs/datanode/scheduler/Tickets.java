// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.hdfs.datanode.scheduler;

import java.util.concurrent.TimeUnit;
import org.hadoopprio.IoPriority;
import org.hadoopprio.disktime.Stream;

/** Reads and limits for tests. */
final class Tickets {

  static final LevelWeights WEIGHTS = SchedulerKeys.WEIGHTS.defaultValue();

  private Tickets() {}

  static long ms(long millis) {
    return TimeUnit.MILLISECONDS.toNanos(millis);
  }

  /** The default limits but for the share of real-time. */
  static SchedulerLimits limits(double realtimeShare) {
    return new SchedulerLimits(
        realtimeShare,
        SchedulerKeys.TURN_BYTES.defaultValue(),
        SchedulerKeys.TURN_MILLIS.defaultValue(),
        WEIGHTS,
        SchedulerKeys.IDLE_SHARE.defaultValue());
  }

  static Ticket of(IoPriority priority, LevelWeights weights, Stream stream) {
    SchedulerLimits limits = new SchedulerLimits(1, 1, 1, weights, 0.05);
    return new Ticket(priority, limits.weight(priority), stream);
  }

  static Ticket realtime() {
    return of(IoPriority.realtime(0), WEIGHTS, null);
  }

  /**
   * A best-effort read.
   *
   * @param stream null for a short read
   */
  static Ticket be(int level, Stream stream) {
    return of(IoPriority.bestEffort(level), WEIGHTS, stream);
  }

  static Ticket idle(Stream stream) {
    return of(IoPriority.IDLE, WEIGHTS, stream);
  }
}
