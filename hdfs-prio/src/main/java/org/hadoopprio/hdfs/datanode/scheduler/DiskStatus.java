// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.hdfs.datanode.scheduler;

import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import java.util.function.ToIntFunction;
import org.hadoopprio.disktime.Claim;
import org.hadoopprio.disktime.Disk;
import org.hadoopprio.disktime.DiskClass;
import org.hadoopprio.disktime.DiskCounters;
import org.hadoopprio.disktime.Owner;
import org.hadoopprio.disktime.SlowRead;
import org.hadoopprio.disktime.SlowReads;
import org.hadoopprio.disktime.Tenant;
import org.hadoopprio.disktime.TenantCounters;
import org.hadoopprio.metrics.BlameStatus;
import org.hadoopprio.metrics.ClassStatus;
import org.hadoopprio.metrics.QueueStatus;
import org.hadoopprio.metrics.SlowReadStatus;
import org.hadoopprio.metrics.TenantStatus;

/** What has happened at one disk, for metrics. Needs the scheduler's lock. */
final class DiskStatus {

  private final Disk scheduler;
  private final DiskCounters counters;

  /** How many wait now for which something holds. */
  private final ToIntFunction<Predicate<Claim>> waiting;

  /** The disk time of each class when it was last shown. */
  private final Map<DiskClass, Long> shownNanos = new EnumMap<>(DiskClass.class);

  /** The slow reads that were last shown; so their times stay. */
  private final Deque<SlowReadStatus> shownSlowReads = new ArrayDeque<>();

  /** How many slow reads there were then. */
  private long shownSlow;

  DiskStatus(Disk scheduler, DiskCounters counters, ToIntFunction<Predicate<Claim>> waiting) {
    this.scheduler = scheduler;
    this.counters = counters;
    this.waiting = waiting;
  }

  /**
   * What has happened until now.
   *
   * @param isOpen whether none waits because the scheduler has misbehaved
   */
  QueueStatus at(long now, boolean isOpen) {
    List<TenantStatus> tenants = new ArrayList<>();
    counters.tenants().forEach((tenant, its) -> tenants.add(tenant(tenant, its)));
    return new QueueStatus(
        ofClass(now, DiskClass.REALTIME),
        ofClass(now, DiskClass.BEST_EFFORT),
        ofClass(now, DiskClass.IDLE),
        counters.turns(),
        counters.overdueWaits(),
        counters.lostReads(),
        counters.refusedTurns(),
        isOpen,
        scheduler.serviceTimes(),
        tenants,
        scheduler.slowReads().count(),
        slowReads(now));
  }

  private TenantStatus tenant(Tenant tenant, TenantCounters its) {
    long realtime = its.usedNanos(DiskClass.REALTIME);
    return new TenantStatus(
        tenant.name(),
        // Neither part may go back, and each is rounded down.
        millis(realtime) + millis(its.usedNanos() - realtime),
        millis(realtime),
        its.waits(),
        millis(its.waitNanos()),
        waiting.applyAsInt(claim -> claim.tenant() == tenant),
        its.slow(),
        its.targeted(),
        its.late(),
        blamed(its.blamedNanos()));
  }

  private List<SlowReadStatus> slowReads(long now) {
    SlowReads reads = scheduler.slowReads();
    List<SlowRead> last = reads.last();
    int shown = (int) Math.max(0, last.size() - (reads.count() - shownSlow));
    Instant time = Instant.now();
    for (SlowRead each : last.subList(shown, last.size())) {
      shownSlowReads.addLast(slow(each, time.minusNanos(now - each.endedAt())));
    }
    while (shownSlowReads.size() > last.size()) {
      shownSlowReads.removeFirst();
    }
    shownSlow = reads.count();
    return List.copyOf(shownSlowReads);
  }

  private static SlowReadStatus slow(SlowRead read, Instant ended) {
    return new SlowReadStatus(
        ended.truncatedTo(ChronoUnit.MILLIS).toString(),
        read.owner().tenant().name(),
        read.priority(),
        read.owner().role(),
        millis(read.waitNanos()),
        blamed(read.heldNanos()));
  }

  private static List<BlameStatus> blamed(Map<Owner, Long> nanos) {
    List<BlameStatus> blamed = new ArrayList<>();
    nanos.forEach(
        (holder, its) ->
            blamed.add(
                new BlameStatus(
                    holder.tenant().name(),
                    holder.diskClass().shortName(),
                    holder.role(),
                    millis(its))));
    return blamed;
  }

  private static long millis(long nanos) {
    return TimeUnit.NANOSECONDS.toMillis(nanos);
  }

  private ClassStatus ofClass(long now, DiskClass diskClass) {
    // A counter must not go back, as the time of a read that is in may while its owner changes it.
    long used = shownNanos.merge(diskClass, scheduler.usedNanos(diskClass, now), Math::max);
    return new ClassStatus(
        millis(used),
        counters.bytes(diskClass),
        counters.waits(diskClass),
        millis(counters.waitNanos(diskClass)),
        waiting.applyAsInt(claim -> claim.diskClass() == diskClass));
  }
}
