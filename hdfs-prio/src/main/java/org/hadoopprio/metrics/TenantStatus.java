// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.metrics;

import java.util.List;

/** What the requests of one tenant have had of one disk since the DataNode's start. Immutable. */
public final class TenantStatus {

  private final String tenant;
  private final long diskMillis;
  private final long realtimeDiskMillis;
  private final long waits;
  private final long waitMillis;
  private final List<BlameStatus> blamed;

  /** Makes a status; the getters describe the values. */
  public TenantStatus(
      String tenant,
      long diskMillis,
      long realtimeDiskMillis,
      long waits,
      long waitMillis,
      List<BlameStatus> blamed) {
    this.tenant = tenant;
    this.diskMillis = diskMillis;
    this.realtimeDiskMillis = realtimeDiskMillis;
    this.waits = waits;
    this.waitMillis = waitMillis;
    this.blamed = List.copyOf(blamed);
  }

  /** Its name in the policy; {@code default} for whoever belongs to no other one. */
  public String getTenant() {
    return tenant;
  }

  /**
   * The disk time that it has used, in milliseconds, without that of turns which go on. What
   * several of its requests have used together counts once.
   */
  public long getDiskMillis() {
    return diskMillis;
  }

  /** The part of that which its real-time reads have used. */
  public long getRealtimeDiskMillis() {
    return realtimeDiskMillis;
  }

  /** Waits for the disk that have ended. A request may wait many times. */
  public long getWaits() {
    return waits;
  }

  /** Their total duration in milliseconds. */
  public long getWaitMillis() {
    return waitMillis;
  }

  /**
   * Who had the disk meanwhile. What is missing to {@link #getWaitMillis} nobody had: it was kept,
   * or the tenant had reached its limit.
   */
  public BlameStatus[] getBlamed() {
    return blamed.toArray(new BlameStatus[0]);
  }
}
