// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.metrics;

import java.util.List;
import java.util.stream.Collectors;

/** What the requests of one tenant have had of one disk since the DataNode's start. Immutable. */
public final class TenantStatus {

  private final String tenant;
  private final long diskMillis;
  private final long realtimeDiskMillis;
  private final long waits;
  private final long waitMillis;
  private final int waiting;
  private final long slow;
  private final long targeted;
  private final long late;
  private final List<BlameStatus> blamed;

  /** Makes a status; the getters describe the values. */
  public TenantStatus(
      String tenant,
      long diskMillis,
      long realtimeDiskMillis,
      long waits,
      long waitMillis,
      int waiting,
      long slow,
      long targeted,
      long late,
      List<BlameStatus> blamed) {
    this.tenant = tenant;
    this.diskMillis = diskMillis;
    this.realtimeDiskMillis = realtimeDiskMillis;
    this.waits = waits;
    this.waitMillis = waitMillis;
    this.waiting = waiting;
    this.slow = slow;
    this.targeted = targeted;
    this.late = late;
    this.blamed = List.copyOf(blamed);
  }

  /** The same with counters that have counted since the tenants were these only. */
  TenantStatus since(List<TenantStatus> earlier) {
    for (TenantStatus before : earlier) {
      if (before.tenant.equals(tenant)) {
        return since(before);
      }
    }
    return this;
  }

  private TenantStatus since(TenantStatus before) {
    return new TenantStatus(
        tenant,
        diskMillis - before.diskMillis,
        realtimeDiskMillis - before.realtimeDiskMillis,
        waits - before.waits,
        waitMillis - before.waitMillis,
        waiting,
        slow - before.slow,
        targeted - before.targeted,
        late - before.late,
        blamed.stream().map(each -> each.since(before.blamed)).collect(Collectors.toList()));
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

  /** How many wait now. */
  public int getWaiting() {
    return waiting;
  }

  /** The reads that have waited for longer than {@code ...scheduler.slow.ms}. */
  public long getSlow() {
    return slow;
  }

  /** Reads of at most 256 KiB with a latency target. */
  public long getTargeted() {
    return targeted;
  }

  /** Those of them answered after their target. */
  public long getLate() {
    return late;
  }

  /**
   * Who had the disk during the waits. What is missing to {@link #getWaitMillis} nobody had: it was
   * kept, or the tenant had reached its limit.
   */
  public BlameStatus[] getBlamed() {
    return blamed.toArray(new BlameStatus[0]);
  }
}
