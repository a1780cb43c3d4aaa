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
          "The highest priority that this RegionServer grants to users that no rule of"
              + " hbase.regionserver.io.priority.policy.file matches. A request for more is served"
              + " at this priority and counted as clamped. The default denies real-time, which can"
              + " starve all other readers; rt:0 allows it. Below normal (be:5 to be:7, idle) it also binds operations that"
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
          "The policy file: who may ask for which priority, for which tables, and caps"
              + " (docs/policy.md). hbase.regionserver.io.priority.highest applies to users that no"
              + " rule matches. update_config reads the file again; an invalid file is refused as a"
              + " whole, update_config reports why, and the previous policy stays in force. A"
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
          "The priority of an operation on a user table if neither the operation, the request,"
              + " the connection nor the table states one. It does not apply to system tables, and"
              + " it must not be higher than hbase.regionserver.io.priority.highest.",
          IoPriority::parse);

  /** Whether a RegionServer does anything. */
  public static final ConfigKey<RegionServerMode> MODE =
      new ConfigKey<>(
          "hbase.regionserver.io.priority.mode",
          "on, observe or off",
          "on",
          ConfigKey.Tag.REGIONSERVER,
          true,
          "off: all calls are served as in stock HBase, whatever they, their table and the other"
              + " keys say, and what this RegionServer reads and writes in HDFS has no priority, its"
              + " own work included. The real-time handlers get no calls. observe: the same, but the"
              + " policy decides about each operation, and what it would grant, lower or reject is"
              + " counted. update_config applies a change at once.",
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
          "The priorities of what the RegionServer reads and writes without a client that asks for"
              + " it: ROLE=PRIORITY, separated by commas. wal: the write-ahead log. flush: store"
              + " files written from memory. flush-urgent: the same if there is so much in memory that"
              + " HBase makes writers wait (hbase.hregion.memstore.block.multiplier,"
              + " hbase.regionserver.global.memstore.size). compaction-minor and compaction-major: what compactions read"
              + " and write. compaction-urgent: the same for a store with"
              + " hbase.hstore.blockingStoreFiles or more. Whether it is urgent is decided when the"
              + " flush of a store, or the compaction, begins, and it stays so. store-open: the opening of store files, before which nobody can read from them."
              + " prefetch: store files read into the block cache ahead of readers. bulk-load: what is"
              + " read of store files that clients bring. replication-source: write-ahead logs read"
              + " for other clusters. wal-recovery: logs of dead servers, divided and replayed,"
              + " before which their regions cannot be used. Best-effort and"
              + " idle only: clients come first. A role that is not named has no priority; none: no"
              + " role has one. The price of idle: on a busy disk compactions can fall behind,"
              + " which slows reads down and can stop writes, so watch the compaction queue. Never"
              + " put wal or flush at idle: writes would wait for them. The urgent roles cannot be"
              + " idle. update_config applies a change to what begins afterwards.",
          text -> RolePriorities.parse(text, IoRole.Daemon.REGIONSERVER));

  /** The number of handlers for real-time calls only. */
  public static final ConfigKey<Integer> REALTIME_HANDLERS =
      new ConfigKey<>(
          "hbase.regionserver.io.priority.realtime.handlers",
          "integer",
          "",
          ConfigKey.Tag.REGIONSERVER,
          false,
          "The number of handlers that IoPriorityRpcSchedulerFactory adds for real-time calls, so"
              + " that these do not wait behind scans. If not set: a tenth of"
              + " hbase.regionserver.handler.count, at least 2. 0 disables the separate handlers.",
          text -> atLeast(0, text));

  /** The number of real-time calls that may wait for their handlers. */
  public static final ConfigKey<Integer> REALTIME_QUEUE_LENGTH =
      new ConfigKey<>(
          "hbase.regionserver.io.priority.realtime.queue.length",
          "integer",
          "",
          ConfigKey.Tag.REGIONSERVER,
          false,
          "The number of real-time calls that may wait for their handlers; further ones go to the"
              + " general queue. If not set: 10 for each of these handlers.",
          text -> atLeast(1, text));

  /** The number of handlers for background calls only. */
  public static final ConfigKey<Integer> BACKGROUND_HANDLERS =
      new ConfigKey<>(
          "hbase.regionserver.io.priority.background.handlers",
          "integer",
          "",
          ConfigKey.Tag.REGIONSERVER,
          false,
          "The number of handlers that IoPriorityRpcSchedulerFactory adds for background calls, at"
              + " idle or at be:5 to be:7. Their reads wait for a busy disk longer than others; no"
              + " other handler serves them, so that other calls always find one. As many calls may"
              + " wait for them as in one of HBase's general queues"
              + " (hbase.ipc.server.max.callqueue.length), with half of"
              + " hbase.ipc.server.max.callqueue.size; further ones are refused, and HBase's"
              + " client tries again. If not set: half of hbase.regionserver.handler.count, at least"
              + " 1. 0: no separate handlers; the general ones serve background calls, too.",
          text -> atLeast(0, text));

  /** The factory of the scheduler of all other calls. */
  public static final ConfigKey<RpcSchedulerFactory> OTHER_FACTORY =
      new ConfigKey<>(
          "hbase.regionserver.io.priority.scheduler.factory.class",
          "class name",
          "",
          ConfigKey.Tag.REGIONSERVER,
          false,
          "The factory of RPC schedulers that IoPriorityRpcSchedulerFactory is set before: its"
              + " scheduler serves all calls that are neither real-time nor background ones. Where"
              + " hbase.region.server.rpc.scheduler.factory.class had another value, such as"
              + " Phoenix's org.apache.hadoop.hbase.ipc.PhoenixRpcSchedulerFactory, that value goes"
              + " here, or else what it does is lost. If not set: HBase's own.",
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
