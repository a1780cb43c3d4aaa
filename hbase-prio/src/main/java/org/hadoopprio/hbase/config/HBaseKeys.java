// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.hbase.config;

import java.util.List;
import org.apache.hadoop.hbase.regionserver.RpcSchedulerFactory;
import org.hadoopprio.IoPriority;
import org.hadoopprio.IoRole;
import org.hadoopprio.config.ConfigKey;
import org.hadoopprio.policy.AccessPolicy;
import org.hadoopprio.policy.AuditLog;
import org.hadoopprio.policy.PolicyReader;
import org.hadoopprio.role.RolePriorities;

/** The configuration keys of the HBase part. The RegionServer reads them when it starts. */
public final class HBaseKeys {

  /** The highest priority that a RegionServer grants. */
  public static final ConfigKey<IoPriority> HIGHEST =
      new ConfigKey<>(
          "hbase.regionserver.io.priority.highest",
          "priority",
          "be:0",
          ConfigKey.Tag.REGIONSERVER,
          false,
          "The most urgent priority of users that no rule of"
              + " hbase.regionserver.io.priority.policy.file matches. A request for more is served"
              + " at this one and counted as clamped. rt:0 allows real-time, which can starve all"
              + " other readers. Below normal (be:5 to be:7, idle) it also binds operations that"
              + " state nothing, except on HBase's own tables. The DataNodes have a limit of their"
              + " own.",
          IoPriority::parse);

  /** The policy file of a RegionServer. */
  public static final ConfigKey<AccessPolicy> POLICY =
      new ConfigKey<>(
          "hbase.regionserver.io.priority.policy.file",
          "absolute path",
          "",
          ConfigKey.Tag.REGIONSERVER,
          true,
          "Who may ask for which priority, for which tables, and caps (docs/policy.md)."
              + " update_config reads the file again; an invalid file is refused as a whole,"
              + " update_config reports why, and the previous policy stays in force. A"
              + " RegionServer that starts with an invalid file grants nobody more than normal.",
          PolicyReader::forRegionServer);

  /** Which grants of a RegionServer are logged. */
  public static final ConfigKey<IoPriority> AUDIT =
      AuditLog.key("hbase.regionserver.io.priority.audit", ConfigKey.Tag.REGIONSERVER);

  /** The priority of operations for which no other source states one. */
  public static final ConfigKey<IoPriority> DEFAULT =
      new ConfigKey<>(
          "hbase.regionserver.io.priority.default",
          "priority",
          "",
          ConfigKey.Tag.REGIONSERVER,
          false,
          "The priority of operations on user tables for which neither operation, request,"
              + " connection nor table states one. It must not be higher than"
              + " hbase.regionserver.io.priority.highest.",
          IoPriority::parse);

  /** Whether a RegionServer does anything. */
  public static final ConfigKey<RegionServerMode> MODE =
      new ConfigKey<>(
          "hbase.regionserver.io.priority.mode",
          "on, observe or off",
          "on",
          ConfigKey.Tag.REGIONSERVER,
          true,
          "off: all calls are served as in stock HBase, whatever they, their table and other keys"
              + " say; nothing that this RegionServer reads and writes in HDFS has a priority, its"
              + " own work included; the real-time handlers get no calls. observe: the same, but"
              + " what the policy would grant, lower or reject is counted. update_config applies a"
              + " change at once.",
          RegionServerMode::parse);

  /** What a RegionServer does of its own accord. */
  public static final ConfigKey<RolePriorities> ROLES =
      new ConfigKey<>(
          "hbase.regionserver.io.priority.roles",
          "roles",
          "wal=be:0, flush=be:2, flush-urgent=be:0, compaction-minor=be:6, compaction-major=be:6,"
              + " compaction-urgent=be:1, store-open=be:0, prefetch=be:7, bulk-load=be:2, replication-source=be:4, wal-recovery=be:0",
          ConfigKey.Tag.REGIONSERVER,
          true,
          "The priorities of the RegionServer's own reads and writes: ROLE=PRIORITY, separated by"
              + " commas; best-effort and idle only. wal: the write-ahead log. flush: store files"
              + " written from memory. flush-urgent: the same if so much is in memory that HBase"
              + " makes writers wait (hbase.hregion.memstore.block.multiplier,"
              + " hbase.regionserver.global.memstore.size). compaction-minor, compaction-major:"
              + " what compactions read and write. compaction-urgent: the same for a store with"
              + " hbase.hstore.blockingStoreFiles or more. Whether it is urgent is decided when it"
              + " begins. store-open: the opening of store files, before which nobody can read"
              + " from them. prefetch: store files read into the block cache ahead of readers."
              + " bulk-load: what is read of store files that clients bring. replication-source:"
              + " write-ahead logs read for other clusters. wal-recovery: logs of dead servers,"
              + " divided and replayed, before which their regions cannot be used. A role that is"
              + " not named has no priority; none: no role has one. At idle, compactions can fall"
              + " behind on a busy disk, which slows reads down and can stop writes: watch the"
              + " compaction queue. Never put wal or flush at idle: writes would wait for them."
              + " The urgent roles cannot be idle. update_config applies a change to what begins"
              + " afterwards.",
          text -> RolePriorities.parse(text, IoRole.Daemon.REGIONSERVER));

  /** The number of handlers for real-time calls only. */
  public static final ConfigKey<Integer> REALTIME_HANDLERS =
      new ConfigKey<>(
          "hbase.regionserver.io.priority.realtime.handlers",
          "integer",
          "",
          ConfigKey.Tag.REGIONSERVER,
          false,
          "Handlers that IoPriorityRpcSchedulerFactory adds for real-time calls, so that these do"
              + " not wait behind scans. Not set: a tenth of hbase.regionserver.handler.count, at"
              + " least 2. 0: none.",
          text -> atLeast(0, text));

  /** The number of real-time calls that may wait for their handlers. */
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

  /** The number of handlers for background calls only. */
  public static final ConfigKey<Integer> BACKGROUND_HANDLERS =
      new ConfigKey<>(
          "hbase.regionserver.io.priority.background.handlers",
          "integer",
          "",
          ConfigKey.Tag.REGIONSERVER,
          false,
          "Handlers that IoPriorityRpcSchedulerFactory adds for background calls, at idle or at"
              + " be:5 to be:7. No other handler serves these, so other calls always find one. As"
              + " many may wait as in one of HBase's general queues"
              + " (hbase.ipc.server.max.callqueue.length), with half of"
              + " hbase.ipc.server.max.callqueue.size; further ones are refused, and HBase's"
              + " client tries again. Not set: half of hbase.regionserver.handler.count, at least"
              + " 1. 0: none; the general ones serve background calls, too.",
          text -> atLeast(0, text));

  /** The factory of the scheduler of all other calls. */
  public static final ConfigKey<RpcSchedulerFactory> OTHER_FACTORY =
      new ConfigKey<>(
          "hbase.regionserver.io.priority.scheduler.factory.class",
          "class name",
          "",
          ConfigKey.Tag.REGIONSERVER,
          false,
          "The RPC scheduler factory for all other calls. Where"
              + " hbase.region.server.rpc.scheduler.factory.class had another value, such as"
              + " Phoenix's org.apache.hadoop.hbase.ipc.PhoenixRpcSchedulerFactory, put that here,"
              + " or what it does is lost. Not set: HBase's own.",
          HBaseKeys::factory);

  private HBaseKeys() {}

  private static RpcSchedulerFactory factory(String name) {
    try {
      Class<?> type = Class.forName(name);
      if (RpcSchedulerFactory.class.isAssignableFrom(type) && !isOwn(type)) {
        return (RpcSchedulerFactory) type.getDeclaredConstructor().newInstance();
      }
    } catch (ReflectiveOperationException | LinkageError e) {
      throw new IllegalArgumentException(
          "it cannot be made (" + e + "); allowed: a class on the class path of the RegionServer",
          e);
    }
    throw new IllegalArgumentException(
        "allowed: an " + RpcSchedulerFactory.class.getName() + " of others");
  }

  private static boolean isOwn(Class<?> type) {
    // By name: that class needs this one.
    return type.getName().equals("org.hadoopprio.hbase.regionserver.IoPriorityRpcSchedulerFactory");
  }

  /** All keys, in the order of the reference. */
  public static List<ConfigKey<?>> all() {
    return List.of(
        MODE,
        HIGHEST,
        POLICY,
        AUDIT,
        DEFAULT,
        ROLES,
        REALTIME_HANDLERS,
        REALTIME_QUEUE_LENGTH,
        BACKGROUND_HANDLERS,
        OTHER_FACTORY);
  }

  private static Integer atLeast(int min, String text) {
    int value;
    try {
      value = Integer.parseInt(text);
    } catch (NumberFormatException e) {
      throw new IllegalArgumentException("not an integer; allowed: " + min + " or more", e);
    }
    if (value < min) {
      throw new IllegalArgumentException("too small; allowed: " + min + " or more");
    }
    return value;
  }
}
