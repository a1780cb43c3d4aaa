// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.hbase.delegate;

import org.hadoopprio.IoPriority;
import org.hadoopprio.IoRole;

/**
 * Knows the roles of a RegionServer's own work and their priorities. Thread-safe.
 *
 * <p>HBase's objects are Object here, because the agent must not load their classes.
 */
public interface RoleSource {

  /** The priority of a role; null for none. */
  IoPriority priorityOf(IoRole role);

  /**
   * The name of the tenant for which a store's own work counts; null for none.
   *
   * @param store HBase's {@code HStore}
   */
  String tenantOf(Object store);

  /** The role of a flush that begins now. */
  IoRole ofFlush(Object store);

  /** The role of a compaction that begins now. */
  IoRole ofCompaction(Object store, Object request);
}
