// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.hdfs.datanode.scheduler;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.ToIntFunction;
import org.hadoopprio.disktime.Disk;
import org.hadoopprio.disktime.DiskClass;
import org.hadoopprio.disktime.DiskCounters;
import org.hadoopprio.metrics.BlameStatus;
import org.hadoopprio.metrics.ClassStatus;
import org.hadoopprio.metrics.QueueStatus;
import org.hadoopprio.metrics.TenantStatus;

/** What has happened at one disk, for metrics. Needs the scheduler's lock. */
final class DiskStatus {

  private final Disk scheduler;
  private final DiskCounters counters;

  /** The disk time of each class when it was last shown. */
  private final Map<DiskClass, Long> shownNanos = new EnumMap<>(DiskClass.class);

  DiskStatus(Disk scheduler, DiskCounters counters) {
    this.scheduler = scheduler;
    this.counters = counters;
  }

  /**
   * What has happened until now.
   *
   * @param waiting how many reads of a class wait
   * @param isOpen whether none waits because the scheduler has misbehaved
   */
  QueueStatus at(long now, ToIntFunction<DiskClass> waiting, boolean isOpen) {
    return new QueueStatus(
        at(now, DiskClass.REALTIME, waiting),
        at(now, DiskClass.BEST_EFFORT, waiting),
        at(now, DiskClass.IDLE, waiting),
        counters.turns(),
        counters.overdueWaits(),
        counters.lostReads(),
        counters.refusedTurns(),
        isOpen,
        scheduler.serviceTimes(),
        tenants());
  }

  private List<TenantStatus> tenants() {
    List<TenantStatus> all = new ArrayList<>();
    counters
        .tenants()
        .forEach(
            (tenant, its) -> {
              List<BlameStatus> blamed = new ArrayList<>();
              its.blamedNanos()
                  .forEach(
                      (holder, nanos) -> blamed.add(new BlameStatus(holder.name(), millis(nanos))));
              all.add(
                  new TenantStatus(
                      tenant.name(),
                      millis(its.usedNanos()),
                      millis(its.usedNanos(DiskClass.REALTIME)),
                      its.waits(),
                      millis(its.waitNanos()),
                      blamed));
            });
    return all;
  }

  private static long millis(long nanos) {
    return TimeUnit.NANOSECONDS.toMillis(nanos);
  }

  private ClassStatus at(long now, DiskClass diskClass, ToIntFunction<DiskClass> waiting) {
    // A counter must not go back, as the time of a read that is in may while its owner changes it.
    long used = shownNanos.merge(diskClass, scheduler.usedNanos(diskClass, now), Math::max);
    return new ClassStatus(
        TimeUnit.NANOSECONDS.toMillis(used),
        counters.bytes(diskClass),
        counters.waits(diskClass),
        TimeUnit.NANOSECONDS.toMillis(counters.waitNanos(diskClass)),
        waiting.applyAsInt(diskClass));
  }
}
