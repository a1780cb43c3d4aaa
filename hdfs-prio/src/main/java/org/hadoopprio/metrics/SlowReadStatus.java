// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.metrics;

import java.util.List;

/** A read that has waited for a disk for long, and who had it meanwhile. Immutable. */
public final class SlowReadStatus {

  private final String time;
  private final String tenant;
  private final String priority;
  private final String role;
  private final long waitMillis;
  private final List<BlameStatus> blamed;

  /** Makes a status; the getters describe the values. */
  public SlowReadStatus(
      String time,
      String tenant,
      String priority,
      String role,
      long waitMillis,
      List<BlameStatus> blamed) {
    this.time = time;
    this.tenant = tenant;
    this.priority = priority;
    this.role = role;
    this.waitMillis = waitMillis;
    this.blamed = List.copyOf(blamed);
  }

  /** When it waited no more, in UTC, such as 2026-11-29T02:01:07.123Z. */
  public String getTime() {
    return time;
  }

  /** Whose read it was: a name of the policy, or {@code default}. */
  public String getTenant() {
    return tenant;
  }

  /** What it was granted; {@code none} for no priority. */
  public String getPriority() {
    return priority;
  }

  /** What it was for; {@code unknown} if nobody has said it. */
  public String getRole() {
    return role;
  }

  /** How long it had waited, in milliseconds. */
  public long getWaitMillis() {
    return waitMillis;
  }

  /**
   * Who had the disk meanwhile: at most eight, those that had most first. The rest of the time
   * others had it, or nobody.
   */
  public BlameStatus[] getBlamed() {
    return blamed.toArray(new BlameStatus[0]);
  }
}
