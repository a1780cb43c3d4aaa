package org.hadoopprio.hdfs.datanode.share;

import com.blogspot.mydailyjava.weaklockfree.WeakConcurrentMap;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.hadoopprio.config.HdfsKeys;
import org.hadoopprio.metrics.PriorityMetrics;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** One DataNode's settings for the share of real-time reads, changeable while it runs. */
public final class RealtimeShare {

  /** The value that switches the limit off. */
  public static final double ALL = 1.0;

  private static final Logger LOG = LoggerFactory.getLogger(RealtimeShare.class);

  /** One a configuration, so one a DataNode. */
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
    setShare(HdfsKeys.DATANODE_REALTIME_SHARE.getOrDefault(conf, LOG));
    excess = HdfsKeys.DATANODE_REALTIME_EXCESS.getOrDefault(conf, LOG);
  }

  /** The settings of the DataNode with that configuration. */
  static RealtimeShare of(Configuration conf) {
    return SHARES.get(conf);
  }

  /**
   * Reads a share from its text form.
   *
   * @throws IllegalArgumentException saying what is allowed
   */
  public static double parse(String text) {
    double share;
    try {
      share = Double.parseDouble(text);
    } catch (NumberFormatException e) {
      share = Double.NaN;
    }
    if (!(share > 0 && share <= ALL)) {
      throw new IllegalArgumentException("allowed: a number greater than 0, at most 1.0");
    }
    return share;
  }

  /** The keys {@link #reconfigure} takes. */
  public static List<String> reconfigurable() {
    return List.of(
        HdfsKeys.DATANODE_REALTIME_SHARE.name(), HdfsKeys.DATANODE_REALTIME_EXCESS.name());
  }

  /**
   * Changes a setting of the DataNode with that configuration; reads in progress follow.
   *
   * @param newValue null for the default
   * @return the value now in force, in text form
   * @throws IllegalArgumentException naming the key, the value and what is allowed; the old value
   *     stays
   */
  public static String reconfigure(Configuration conf, String key, String newValue) {
    RealtimeShare settings = of(conf);
    String value;
    if (key.equals(HdfsKeys.DATANODE_REALTIME_SHARE.name())) {
      settings.setShare(HdfsKeys.DATANODE_REALTIME_SHARE.parse(newValue));
      value = Double.toString(settings.share);
    } else {
      settings.excess = HdfsKeys.DATANODE_REALTIME_EXCESS.parse(newValue);
      value = settings.excess.toString();
    }
    LOG.info("{} is now {}", key, value);
    return value;
  }

  private void setShare(double share) {
    this.share = share;
    PriorityMetrics.setRealtimeShare(share);
  }

  /** More than 0, at most {@link #ALL}. */
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
