package org.hadoopprio.hbase.config;

import java.util.List;
import org.hadoopprio.IoPriority;
import org.hadoopprio.config.ConfigKey;
import org.hadoopprio.policy.AccessPolicy;
import org.hadoopprio.policy.PolicyReader;

/** The configuration keys of the HBase part, read by the RegionServer when it starts. */
public final class HBaseKeys {

  /** The most urgent priority a RegionServer grants. */
  public static final ConfigKey<IoPriority> HIGHEST =
      new ConfigKey<>(
          "hbase.regionserver.io.priority.highest",
          "priority",
          "be:0",
          ConfigKey.Tag.REGIONSERVER,
          false,
          "The most urgent priority this RegionServer grants to whom no rule of"
              + " hbase.regionserver.io.priority.policy.file is for; a request for more is served"
              + " at this one and counted as clamped. The default keeps real-time, which can starve every"
              + " other reader, until an operator allows it with rt:0. The DataNodes have a limit"
              + " of their own.",
          IoPriority::parse);

  /** Who may ask a RegionServer for what. */
  public static final ConfigKey<AccessPolicy> POLICY =
      new ConfigKey<>(
          "hbase.regionserver.io.priority.policy.file",
          "absolute path",
          "",
          ConfigKey.Tag.REGIONSERVER,
          true,
          "The policy: who may ask for which priority, for which tables, and caps (docs/policy.md)."
              + " To whom none of its rules applies, hbase.regionserver.io.priority.highest does."
              + " update_config reads the file anew; one that cannot be used is refused as a whole,"
              + " update_config says why, and the policy before it stays. At its start a"
              + " RegionServer stops for it.",
          PolicyReader::forRegionServer);

  /** The priority of operations for which nothing else states one. */
  public static final ConfigKey<IoPriority> DEFAULT =
      new ConfigKey<>(
          "hbase.regionserver.io.priority.default",
          "priority",
          "",
          ConfigKey.Tag.REGIONSERVER,
          false,
          "The priority of an operation on a user table for which neither the operation, the"
              + " request, the connection nor the table states one. System tables are left out. Not"
              + " more urgent than hbase.regionserver.io.priority.highest.",
          IoPriority::parse);

  /** The priority of what compactions read. */
  public static final ConfigKey<IoPriority> COMPACTION =
      new ConfigKey<>(
          "hbase.regionserver.io.priority.compaction",
          "priority",
          "",
          ConfigKey.Tag.REGIONSERVER,
          false,
          "The priority of what compactions read. A compaction kept waiting for long makes reads"
              + " slower and can stop writes, so prefer be:7 to idle.",
          IoPriority::parse);

  /** How many handlers only real-time calls use. */
  public static final ConfigKey<Integer> REALTIME_HANDLERS =
      new ConfigKey<>(
          "hbase.regionserver.io.priority.realtime.handlers",
          "integer",
          "",
          ConfigKey.Tag.REGIONSERVER,
          false,
          "How many handlers IoPriorityRpcSchedulerFactory adds for real-time calls, so that these"
              + " need not wait behind scans. Not set: a tenth of hbase.regionserver.handler.count,"
              + " at least 2. 0 switches the separate handlers off.",
          text -> atLeast(0, text));

  /** How many real-time calls may wait for their handlers. */
  public static final ConfigKey<Integer> REALTIME_QUEUE_LENGTH =
      new ConfigKey<>(
          "hbase.regionserver.io.priority.realtime.queue.length",
          "integer",
          "",
          ConfigKey.Tag.REGIONSERVER,
          false,
          "How many real-time calls may wait for their handlers; further ones go to the general"
              + " queue. Not set: 10 for each of these handlers.",
          text -> atLeast(1, text));

  private HBaseKeys() {}

  /** All keys, in the order of the reference. */
  public static List<ConfigKey<?>> all() {
    return List.of(HIGHEST, POLICY, DEFAULT, COMPACTION, REALTIME_HANDLERS, REALTIME_QUEUE_LENGTH);
  }

  private static Integer atLeast(int least, String text) {
    int value;
    try {
      value = Integer.parseInt(text);
    } catch (NumberFormatException e) {
      throw new IllegalArgumentException("not an integer; allowed: " + least + " or more", e);
    }
    if (value < least) {
      throw new IllegalArgumentException("too small; allowed: " + least + " or more");
    }
    return value;
  }
}
