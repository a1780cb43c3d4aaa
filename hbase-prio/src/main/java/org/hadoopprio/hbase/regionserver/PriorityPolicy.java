package org.hadoopprio.hbase.regionserver;

import org.apache.hadoop.conf.Configuration;
import org.hadoopprio.IoPriority;
import org.hadoopprio.hbase.config.HBaseKeys;

/** What the operator allows and presets in this RegionServer. Immutable. */
final class PriorityPolicy {

  private final IoPriority highest;
  private final IoPriority defaultPriority;
  private final IoPriority compaction;

  private PriorityPolicy(IoPriority highest, IoPriority defaultPriority, IoPriority compaction) {
    this.highest = highest;
    this.defaultPriority = defaultPriority;
    this.compaction = compaction;
  }

  /**
   * Reads the policy.
   *
   * @throws IllegalArgumentException naming the key that cannot be used and what is allowed: an
   *     operator's mistake stops the RegionServer at its start instead of changing what it grants
   */
  static PriorityPolicy from(Configuration conf) {
    IoPriority highest = HBaseKeys.HIGHEST.get(conf);
    IoPriority defaultPriority = HBaseKeys.DEFAULT.get(conf);
    if (defaultPriority != null && defaultPriority.compareTo(highest) < 0) {
      throw new IllegalArgumentException(
          HBaseKeys.DEFAULT.name()
              + " = "
              + defaultPriority
              + " is more urgent than "
              + HBaseKeys.HIGHEST.name()
              + " = "
              + highest);
    }
    return new PriorityPolicy(highest, defaultPriority, HBaseKeys.COMPACTION.get(conf));
  }

  /** The most urgent priority granted; never null. */
  IoPriority highest() {
    return highest;
  }

  /** The priority of an operation on a user table that has no other, or null. */
  IoPriority defaultPriority() {
    return defaultPriority;
  }

  /** The priority of compactions, or null. */
  IoPriority compaction() {
    return compaction;
  }
}
