// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.hdfs.datanode.scheduler;

import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;
import org.hadoopprio.IoClass;
import org.hadoopprio.IoPriority;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The numbers that the scheduler of a volume works with. Immutable. */
public final class SchedulerLimits {

  private static final Logger LOG = LoggerFactory.getLogger(SchedulerLimits.class);

  private final double realtimeShare;
  private final long turnBytes;
  private final long turnNanos;
  private final LevelWeights weights;
  private final double idleShare;

  SchedulerLimits(
      double realtimeShare,
      long turnBytes,
      int turnMillis,
      LevelWeights weights,
      double idleShare) {
    this.realtimeShare = realtimeShare;
    this.turnBytes = turnBytes;
    this.turnNanos = TimeUnit.MILLISECONDS.toNanos(turnMillis);
    this.weights = weights;
    this.idleShare = idleShare;
  }

  /** The numbers of a configuration, and the defaults of what it does not state. */
  public static SchedulerLimits of(Configuration conf) {
    return new SchedulerLimits(
        SchedulerKeys.SHARE.getOrDefault(conf, LOG),
        SchedulerKeys.TURN_BYTES.getOrDefault(conf, LOG),
        SchedulerKeys.TURN_MILLIS.getOrDefault(conf, LOG),
        SchedulerKeys.WEIGHTS.getOrDefault(conf, LOG),
        SchedulerKeys.IDLE_SHARE.getOrDefault(conf, LOG));
  }

  /** Real-time's share of disk time while others wait; more than 0, at most 1. */
  public double realtimeShare() {
    return realtimeShare;
  }

  /** The most bytes of a turn. */
  long turnBytes() {
    return turnBytes;
  }

  /** The most disk time of a turn. */
  long turnNanos() {
    return turnNanos;
  }

  /** The share of what real-time leaves that idle gets while best-effort waits. */
  double idleShare() {
    return idleShare;
  }

  /** The weight of a read's level; 1 for a class whose streams are all equal. */
  double weight(IoPriority priority) {
    if (priority == null || priority.isNone()) {
      return weights.of(IoPriority.DEFAULT_LEVEL);
    }
    return priority.ioClass() == IoClass.BEST_EFFORT ? weights.of(priority.level()) : 1;
  }
}
