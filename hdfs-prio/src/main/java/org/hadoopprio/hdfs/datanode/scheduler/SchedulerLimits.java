// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.hdfs.datanode.scheduler;

import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;
import org.hadoopprio.IoClass;
import org.hadoopprio.IoPriority;
import org.hadoopprio.disktime.DiskClass;
import org.hadoopprio.disktime.DiskSettings;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The numbers that the scheduler of a volume works with. Immutable. */
public final class SchedulerLimits {

  private static final Logger LOG = LoggerFactory.getLogger(SchedulerLimits.class);

  private final DiskSettings disk;
  private final LevelWeights weights;

  SchedulerLimits(
      double realtimeShare,
      long turnBytes,
      int turnMillis,
      LevelWeights weights,
      double idleShare) {
    long turnNanos = TimeUnit.MILLISECONDS.toNanos(turnMillis);
    this.disk = new DiskSettings(realtimeShare, turnBytes, turnNanos, idleShare);
    this.weights = weights;
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
    return disk.realtimeShare();
  }

  /** Those that do not depend on who asks. */
  public DiskSettings disk() {
    return disk;
  }

  /** The class in which a read's disk time is counted; no priority counts as best-effort. */
  public static DiskClass diskClass(IoPriority priority) {
    return Ticket.diskClass(priority.ioClass());
  }

  /** The weight of a read's level; 1 for a class whose streams are all equal. */
  public double weight(IoPriority priority) {
    if (priority == null || priority.isNone()) {
      return weights.of(IoPriority.DEFAULT_LEVEL);
    }
    return priority.ioClass() == IoClass.BEST_EFFORT ? weights.of(priority.level()) : 1;
  }
}
