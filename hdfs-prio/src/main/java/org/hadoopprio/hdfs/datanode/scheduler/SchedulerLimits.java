// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.hdfs.datanode.scheduler;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;
import org.hadoopprio.IoClass;
import org.hadoopprio.IoPriority;
import org.hadoopprio.config.ConfigKey;
import org.hadoopprio.disktime.DiskClass;
import org.hadoopprio.disktime.DiskSettings;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The numbers that the scheduler of a volume works with. Immutable. */
public final class SchedulerLimits {

  private static final Logger LOG = LoggerFactory.getLogger(SchedulerLimits.class);

  /** The keys of the numbers. */
  private static final List<ConfigKey<?>> KEYS =
      List.of(
          SchedulerKeys.SHARE,
          SchedulerKeys.TURN_BYTES,
          SchedulerKeys.TURN_MILLIS,
          SchedulerKeys.WEIGHTS,
          SchedulerKeys.IDLE_SHARE,
          SchedulerKeys.SLOW_MILLIS);

  private final Map<ConfigKey<?>, Object> values;
  private final DiskSettings disk;
  private final LevelWeights weights;

  private SchedulerLimits(Map<ConfigKey<?>, Object> values) {
    this.values = values;
    this.weights = value(SchedulerKeys.WEIGHTS);
    this.disk =
        new DiskSettings(
                value(SchedulerKeys.SHARE),
                value(SchedulerKeys.TURN_BYTES),
                TimeUnit.MILLISECONDS.toNanos(value(SchedulerKeys.TURN_MILLIS)),
                value(SchedulerKeys.IDLE_SHARE))
            .slowAfter(TimeUnit.MILLISECONDS.toNanos(value(SchedulerKeys.SLOW_MILLIS)));
  }

  @SuppressWarnings("unchecked") // Each key has a value of its type.
  private <T> T value(ConfigKey<T> key) {
    return (T) values.get(key);
  }

  /** The numbers of a configuration, and the defaults of what it does not state. */
  public static SchedulerLimits of(Configuration conf) {
    Map<ConfigKey<?>, Object> values = new HashMap<>();
    KEYS.forEach(key -> values.put(key, key.getOrDefault(conf, LOG)));
    return new SchedulerLimits(values);
  }

  /** Whether a key is of one of them. */
  static boolean has(ConfigKey<?> key) {
    return KEYS.contains(key);
  }

  /**
   * The same numbers but for one.
   *
   * @param key one that they {@link #has have}
   */
  <T> SchedulerLimits with(ConfigKey<T> key, T value) {
    Map<ConfigKey<?>, Object> changed = new HashMap<>(values);
    changed.put(key, value);
    return new SchedulerLimits(changed);
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
    return Ticket.diskClass(priority);
  }

  /** The weight of a read's level; 1 for a class whose streams are all equal. */
  public double weight(IoPriority priority) {
    if (priority == null || priority.isNone()) {
      return weights.of(IoPriority.DEFAULT_LEVEL);
    }
    return priority.ioClass() == IoClass.BEST_EFFORT ? weights.of(priority.level()) : 1;
  }
}
