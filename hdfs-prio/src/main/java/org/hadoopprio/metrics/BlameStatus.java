// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.metrics;

/** For how long a tenant had a disk while requests of a certain one waited for it. Immutable. */
public final class BlameStatus {

  private final String tenant;
  private final long millis;

  /** Makes a status; the getters describe the values. */
  public BlameStatus(String tenant, long millis) {
    this.tenant = tenant;
    this.millis = millis;
  }

  /** Who had the disk; may be the one that waited. */
  public String getTenant() {
    return tenant;
  }

  /** In milliseconds, since the DataNode's start. */
  public long getMillis() {
    return millis;
  }
}
