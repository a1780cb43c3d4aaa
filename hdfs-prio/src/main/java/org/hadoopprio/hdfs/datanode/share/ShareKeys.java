package org.hadoopprio.hdfs.datanode.share;

import org.hadoopprio.config.ConfigKey;

/** The configuration keys of the share of real-time reads. */
public final class ShareKeys {

  /** The share of a volume's disk time that real-time reads may use while other reads wait. */
  public static final ConfigKey<Double> SHARE =
      new ConfigKey<>(
          "dfs.datanode.io.priority.realtime.share",
          "number",
          "0.5",
          ConfigKey.Tag.DATANODE,
          true,
          "The share of a volume's disk time that real-time reads may use while other reads"
              + " of that volume wait: greater than 0, at most 1.0. A smaller share gives the"
              + " other reads more throughput and raises real-time latency. Without the limit, a"
              + " few real-time readers that never pause hold all other reads back, because"
              + " mq-deadline dispatches nothing else while a real-time request is outstanding,"
              + " except requests older than prio_aging_expire. Nothing is limited while no other"
              + " read waits, and a burst of 100 ms of disk time is free. 1.0 switches the limit"
              + " off. The figures behind the default, for an emulated drive with priorities, and"
              + " the command that measures them are in docs/starvation.md.",
          ShareKeys::parseShare);

  /** What happens to real-time reads above that share. */
  public static final ConfigKey<RealtimeExcess> EXCESS =
      new ConfigKey<>(
          "dfs.datanode.io.priority.realtime.excess",
          "pace or demote",
          "pace",
          ConfigKey.Tag.DATANODE,
          true,
          "What happens to real-time reads above dfs.datanode.io.priority.realtime.share."
              + " pace: they wait together, usually for some milliseconds and never longer than"
              + " 500 ms. demote: they are done at be:0. Pacing is the default because it delays"
              + " many reads a little, whereas a demoted read waits behind everything that other"
              + " readers have requested.",
          RealtimeExcess::parse);

  private ShareKeys() {}

  private static double parseShare(String text) {
    double share;
    try {
      share = Double.parseDouble(text);
    } catch (NumberFormatException e) {
      share = Double.NaN;
    }
    if (!(share > 0 && share <= RealtimeShare.ALL)) {
      throw new IllegalArgumentException("allowed: a number greater than 0, at most 1.0");
    }
    return share;
  }
}
