package org.hadoopprio.hdfs.datanode.share;

import com.blogspot.mydailyjava.weaklockfree.WeakConcurrentMap;
import org.apache.hadoop.conf.Configuration;
import org.hadoopprio.config.ConfigKey;
import org.hadoopprio.metrics.PriorityMetrics;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One DataNode's settings of the share of real-time reads. Reconfigurable while the DataNode runs;
 * thread-safe.
 */
public final class RealtimeShare {

  /** The value that switches the limit off. */
  static final double ALL = 1.0;

  private static final Logger LOG = LoggerFactory.getLogger(RealtimeShare.class);

  /** One for each configuration object, and so for each DataNode. */
  private static final WeakConcurrentMap<Configuration, RealtimeShare> SHARES =
      new WeakConcurrentMap.WithInlinedExpunction<>() {
        @Override
        protected RealtimeShare defaultValue(Configuration conf) {
          return new RealtimeShare(conf);
        }
      };

  private volatile double share;
  private volatile RealtimeExcess excess;

  private RealtimeShare(Configuration conf) {
    setShare(ShareKeys.SHARE.getOrDefault(conf, LOG));
    excess = ShareKeys.EXCESS.getOrDefault(conf, LOG);
  }

  /** The settings of the DataNode with that configuration. */
  static RealtimeShare of(Configuration conf) {
    return SHARES.get(conf);
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
    String value;
    if (key == ShareKeys.SHARE) {
      double share = ShareKeys.SHARE.parse(newValue);
      of(conf).setShare(share);
      value = Double.toString(share);
    } else if (key == ShareKeys.EXCESS) {
      RealtimeExcess excess = ShareKeys.EXCESS.parse(newValue);
      of(conf).excess = excess;
      value = excess.toString();
    } else {
      return null;
    }
    LOG.info("{} is now {}", key.name(), value);
    return value;
  }

  private void setShare(double share) {
    this.share = share;
    PriorityMetrics.setRealtimeShare(share);
  }

  /** Greater than 0, at most {@link #ALL}. */
  double share() {
    return share;
  }

  /** Whether real-time is limited at all. */
  boolean isOn() {
    return share < ALL;
  }

  RealtimeExcess excess() {
    return excess;
  }
}
