// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.hdfs.datanode.scheduler;

import com.blogspot.mydailyjava.weaklockfree.WeakConcurrentMap;
import org.apache.hadoop.conf.Configuration;
import org.hadoopprio.config.ConfigKey;
import org.hadoopprio.config.VolumeChoice;
import org.hadoopprio.config.VolumeMode;
import org.hadoopprio.metrics.PriorityMetrics;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One DataNode's settings of the scheduler. Reconfigurable while the DataNode runs; thread-safe.
 */
public final class SchedulerSettings {

  private static final Logger LOG = LoggerFactory.getLogger(SchedulerSettings.class);

  /** One for each configuration object, and so for each DataNode. */
  private static final WeakConcurrentMap<Configuration, SchedulerSettings> SETTINGS =
      new WeakConcurrentMap.WithInlinedExpunction<>() {
        @Override
        protected SchedulerSettings defaultValue(Configuration conf) {
          return new SchedulerSettings(conf);
        }
      };

  private final int streams;

  /** Of clients that state none, in milliseconds. */
  private final int patienceMillis;

  private final DiskQueues queues = new DiskQueues();
  private final Volume unknown = Volume.unknown(this);
  private volatile VolumeChoice<VolumeMode> modes;
  private volatile VolumeMode withoutVolume;
  private volatile SchedulerLimits limits;
  private volatile boolean local;

  private SchedulerSettings(Configuration conf) {
    setModes(SchedulerKeys.MODE.getOrDefault(conf, LOG));
    streams = SchedulerKeys.STREAMS.getOrDefault(conf, LOG);
    patienceMillis = Patience.ofOthers(conf);
    local = SchedulerKeys.LOCAL.getOrDefault(conf, LOG);
    limits = SchedulerLimits.of(conf);
  }

  private VolumeChoice<VolumeMode> setModes(VolumeChoice<VolumeMode> wanted) {
    modes = wanted;
    boolean stock = wanted.all(VolumeMode::isStock);
    withoutVolume =
        wanted.isOnly(VolumeMode.OFF)
            ? VolumeMode.OFF
            : stock ? VolumeMode.OBSERVE : VolumeMode.ORDER;
    return wanted;
  }

  private <T> T setLimit(ConfigKey<T> key, String text) {
    T value = key.parse(text);
    limits = limits.with(key, value);
    return value;
  }

  /** A DataNode with that configuration is about to serve: its share is the one to show. */
  static void dataNodeStarting(Configuration conf) {
    of(conf).showShare();
  }

  private synchronized void showShare() {
    PriorityMetrics.setRealtimeShare(limits.realtimeShare());
  }

  /** The settings of the DataNode with that configuration. */
  static SchedulerSettings of(Configuration conf) {
    return SETTINGS.get(conf);
  }

  /**
   * Changes a setting of the DataNode with that configuration; reads in progress follow.
   *
   * @param newValue null for the default
   * @return the value now in force, in text form; null for a key of another part
   * @throws IllegalArgumentException naming the key, the value and what is allowed; the old value
   *     stays
   */
  public static String reconfigure(Configuration conf, ConfigKey<?> key, String newValue) {
    Object value = of(conf).set(key, newValue);
    if (value == null) {
      return null;
    }
    LOG.info("{} is now {}", key.name(), value);
    return value.toString();
  }

  private synchronized Object set(ConfigKey<?> key, String text) {
    Object value = null;
    if (key == SchedulerKeys.MODE) {
      value = setModes(SchedulerKeys.MODE.parse(text));
    } else if (key == SchedulerKeys.LOCAL) {
      value = local = SchedulerKeys.LOCAL.parse(text);
    } else if (SchedulerLimits.has(key)) {
      value = setLimit(key, text);
    }
    showShare();
    return value;
  }

  VolumeChoice<VolumeMode> modes() {
    return modes;
  }

  /** What belongs to no volume, or to one that is not known. */
  Volume unknown() {
    return unknown;
  }

  /**
   * The mode of {@link #unknown}: {@code off} or {@code observe} if all volumes are stock, and else
   * {@code order}, because it cannot wait.
   */
  VolumeMode withoutVolume() {
    return withoutVolume;
  }

  /** 0 for what suits the device. */
  int streams() {
    return streams;
  }

  /**
   * How long a packet may wait.
   *
   * @param stated the patience of its client in milliseconds; 0 if it states none
   */
  long longestWaitNanos(int stated) {
    return Patience.longestWaitNanos(stated > 0 ? stated : patienceMillis);
  }

  /** For how long a client's transfer takes turns. */
  long transferNanos(BlockRead what) {
    int stated = what.patienceMillis();
    return Patience.transferNanos(stated > 0 ? stated : patienceMillis, what.length());
  }

  /** The queues of the DataNode's disks. */
  DiskQueues queues() {
    return queues;
  }

  /** Whether short-circuit reads wait for their turn, too. */
  boolean isLocal() {
    return local;
  }

  SchedulerLimits limits() {
    return limits;
  }
}
