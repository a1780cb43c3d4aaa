// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.hbase.delegate;

import org.apache.hadoop.thirdparty.protobuf.Message;
import org.hadoopprio.IoPriority;
import org.hadoopprio.IoRole;
import org.hadoopprio.PriorityScope;
import org.hadoopprio.hdfs.wire.Hint;
import org.hadoopprio.hdfs.wire.PriorityField;
import org.hadoopprio.off.AgentModule;
import org.hadoopprio.off.OffSwitch;
import org.hadoopprio.role.WorkScope;

/**
 * The delegate of the hooks on a RegionServer's own work: the thread that does it states the
 * priority of its role. Without a source every method leaves all as it is. Thread-safe.
 */
public final class RoleScopes {

  private static volatile RoleSource source;

  private RoleScopes() {}

  /** Sets the process's source of roles and priorities; null removes it. */
  public static void setSource(RoleSource newSource) {
    source = newSource;
  }

  private static IoPriority priority(IoRole role) {
    RoleSource asked = source;
    return asked == null || OffSwitch.isOff(AgentModule.REGION_WORK)
        ? null
        : asked.priorityOf(role);
  }

  /**
   * The calling thread begins work for a role.
   *
   * @return the value to pass to {@link WorkScope#close}; null if the role has no priority
   */
  public static PriorityScope open(IoRole role) {
    return open(role, null);
  }

  private static PriorityScope open(IoRole role, String tenant) {
    IoPriority priority = priority(role);
    if (priority != null) {
      return PriorityScope.open(priority, role, 0, tenant);
    }
    // Without a priority of its own it has that of what it is a part of, as without a tenant.
    return tenant == null
        ? null
        : PriorityScope.open(
            PriorityScope.current(),
            PriorityScope.currentRole(),
            PriorityScope.currentPatienceMillis(),
            tenant);
  }

  private static PriorityScope openOf(Object store, IoRole role) {
    RoleSource asked = source;
    boolean isOff = asked == null || OffSwitch.isOff(AgentModule.REGION_WORK);
    return open(role, isOff ? null : asked.tenantOf(store));
  }

  /** The same for the flush of a store, HBase's {@code HStore}. */
  public static PriorityScope openFlush(Object store) {
    RoleSource asked = source;
    return asked == null ? null : openOf(store, asked.ofFlush(store));
  }

  /**
   * The same for a compaction.
   *
   * @param store HBase's {@code HStore}
   * @param request HBase's {@code CompactionRequest}
   */
  public static PriorityScope openCompaction(Object store, Object request) {
    RoleSource asked = source;
    return asked == null ? null : openOf(store, asked.ofCompaction(store, request));
  }

  /**
   * The same for a write-ahead log that is opened for writing. The edits that a recovery writes
   * have that form, too, and keep its role.
   */
  public static PriorityScope openLog() {
    return PriorityScope.currentRole() == IoRole.WAL_RECOVERY ? null : open(IoRole.WAL);
  }

  /** Work that another thread will do for a role. */
  public static Runnable in(IoRole role, Runnable work) {
    return () -> {
      PriorityScope scope = open(role);
      try {
        work.run();
      } finally {
        WorkScope.close(scope);
      }
    };
  }

  /** An operation that is going to be sent for a role without the HDFS client. */
  public static void stamp(IoRole role, Message.Builder operation) {
    IoPriority priority = priority(role);
    if (priority != null) {
      PriorityField.writeTo(operation, Hint.of(priority, role));
    }
  }
}
