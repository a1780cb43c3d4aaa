// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.hdfs.datanode.scheduler;

import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;
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
    return SchedulerLimits.of(new Configuration(false)).with(SchedulerKeys.SHARE, realtimeShare);
  }

  static Ticket of(IoPriority priority, LevelWeights weights, Stream stream) {
    SchedulerLimits limits = limits(1).with(SchedulerKeys.WEIGHTS, weights);
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
