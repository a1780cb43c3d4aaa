// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.metrics;

import java.util.List;
import java.util.stream.Collectors;
import org.hadoopprio.disktime.ServiceTimes;

/** The queue that the reads of one volume pass in mode {@code turns}. Immutable. */
public final class QueueStatus {

  /** The queue of a volume whose reads never wait. */
  public static final QueueStatus NONE =
      new QueueStatus(
          ClassStatus.NONE,
          ClassStatus.NONE,
          ClassStatus.NONE,
          0,
          0,
          0,
          0,
          false,
          ServiceTimes.NONE,
          List.of(),
          0,
          List.of());

  private final ClassStatus realtime;
  private final ClassStatus bestEffort;
  private final ClassStatus idle;
  private final long turns;
  private final long overdueWaits;
  private final long lostReads;
  private final long refusedTurns;
  private final boolean open;
  private final ServiceTimes serviceTimes;
  private final List<TenantStatus> tenants;
  private final long slow;
  private final List<SlowReadStatus> slowReads;

  /** Makes a status; the getters describe the values. */
  public QueueStatus(
      ClassStatus realtime,
      ClassStatus bestEffort,
      ClassStatus idle,
      long turns,
      long overdueWaits,
      long lostReads,
      long refusedTurns,
      boolean open,
      ServiceTimes serviceTimes,
      List<TenantStatus> tenants,
      long slow,
      List<SlowReadStatus> slowReads) {
    this.realtime = realtime;
    this.bestEffort = bestEffort;
    this.idle = idle;
    this.turns = turns;
    this.overdueWaits = overdueWaits;
    this.lostReads = lostReads;
    this.refusedTurns = refusedTurns;
    this.open = open;
    this.serviceTimes = serviceTimes;
    this.tenants = List.copyOf(tenants);
    this.slow = slow;
    this.slowReads = List.copyOf(slowReads);
  }

  /** The same with counters that have counted since an earlier status only. */
  QueueStatus since(QueueStatus before) {
    return new QueueStatus(
        realtime.since(before.realtime),
        bestEffort.since(before.bestEffort),
        idle.since(before.idle),
        turns - before.turns,
        overdueWaits - before.overdueWaits,
        lostReads - before.lostReads,
        refusedTurns - before.refusedTurns,
        open,
        serviceTimes.since(before.serviceTimes),
        tenants.stream().map(each -> each.since(before.tenants)).collect(Collectors.toList()),
        slow - before.slow,
        slowReads);
  }

  /** Reads at real-time. */
  public ClassStatus getRealtime() {
    return realtime;
  }

  /** Reads at best-effort and without a priority. */
  public ClassStatus getBestEffort() {
    return bestEffort;
  }

  /** Reads at idle. */
  public ClassStatus getIdle() {
    return idle;
  }

  /** Turns begun: those of streams, and those of short reads together. */
  public long getTurns() {
    return turns;
  }

  /** Waits that were ended because they had taken too long. */
  public long getOverdueWaits() {
    return overdueWaits;
  }

  /** Reads that were at the disk for so long without a sign that they count as lost. */
  public long getLostReads() {
    return lostReads;
  }

  /** Turns that were not used, because too many threads are at the disk already. */
  public long getRefusedTurns() {
    return refusedTurns;
  }

  /** Whether no read waits for some time because none was given a turn for too long. */
  public boolean isOpen() {
    return open;
  }

  /** The tenants that have used the disk or waited for it; at least one after the first request. */
  public TenantStatus[] getTenants() {
    return tenants.toArray(new TenantStatus[0]);
  }

  /** Reads that have waited for longer than {@code dfs.datanode.io.priority.scheduler.slow.ms}. */
  public long getSlow() {
    return slow;
  }

  /** The last ones of them, in their order. */
  public SlowReadStatus[] getSlowReads() {
    return slowReads.toArray(new SlowReadStatus[0]);
  }

  /** What the disk has needed for reads and turns. */
  public ServiceTimes getServiceTimes() {
    return serviceTimes;
  }
}
