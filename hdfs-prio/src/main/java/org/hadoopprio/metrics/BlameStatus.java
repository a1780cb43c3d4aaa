// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.metrics;

import java.util.List;

/** For how long somebody had a disk while requests of a tenant, or one, waited. Immutable. */
public final class BlameStatus {

  private final String tenant;
  private final String ioClass;
  private final String role;
  private final long millis;

  /** Makes a status; the getters describe the values. */
  public BlameStatus(String tenant, String ioClass, String role, long millis) {
    this.tenant = tenant;
    this.ioClass = ioClass;
    this.role = role;
    this.millis = millis;
  }

  /** The same since it was one of these. */
  BlameStatus since(List<BlameStatus> earlier) {
    for (BlameStatus before : earlier) {
      if (before.tenant.equals(tenant)
          && before.ioClass.equals(ioClass)
          && before.role.equals(role)) {
        return new BlameStatus(tenant, ioClass, role, millis - before.millis);
      }
    }
    return this;
  }

  /** Whose requests had the disk; may be the one that waited. */
  public String getTenant() {
    return tenant;
  }

  /** Their class: rt, be, which includes those without a priority, or idle. */
  public String getIoClass() {
    return ioClass;
  }

  /**
   * What they were for, such as {@code compaction-major}: a role of the metrics' records of roles.
   * Of requests that were at the disk together, that of the one which came last.
   */
  public String getRole() {
    return role;
  }

  /** In milliseconds; of a tenant's waits since the DataNode's start. */
  public long getMillis() {
    return millis;
  }
}
