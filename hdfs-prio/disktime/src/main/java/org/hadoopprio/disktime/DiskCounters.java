// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.disktime;

import java.util.Collections;
import java.util.EnumMap;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;

/** What has happened at one disk. Thread-safe. */
public final class DiskCounters {

  private final Map<DiskClass, LongAdder> waits = new EnumMap<>(DiskClass.class);
  private final Map<DiskClass, LongAdder> waitNanos = new EnumMap<>(DiskClass.class);
  private final Map<DiskClass, LongAdder> usedNanos = new EnumMap<>(DiskClass.class);
  private final Map<DiskClass, LongAdder> bytes = new EnumMap<>(DiskClass.class);
  private final Map<Tenant, TenantCounters> tenants = new ConcurrentHashMap<>();
  private final LongAdder turns = new LongAdder();
  private final LongAdder lost = new LongAdder();
  private final LongAdder overdue = new LongAdder();
  private final LongAdder refused = new LongAdder();

  /** Makes counters of which all are 0. */
  public DiskCounters() {
    for (DiskClass each : DiskClass.values()) {
      waits.put(each, new LongAdder());
      waitNanos.put(each, new LongAdder());
      usedNanos.put(each, new LongAdder());
      bytes.put(each, new LongAdder());
    }
  }

  public void waited(DiskClass diskClass, long nanos) {
    waits.get(diskClass).increment();
    waitNanos.get(diskClass).add(nanos);
  }

  public void used(DiskClass diskClass, long nanos) {
    usedNanos.get(diskClass).add(nanos);
  }

  /** What a tenant has had. */
  TenantCounters of(Tenant tenant) {
    return tenants.computeIfAbsent(tenant, each -> new TenantCounters());
  }

  /** The tenants that have used the disk or waited for it. */
  public Map<Tenant, TenantCounters> tenants() {
    return Collections.unmodifiableMap(tenants);
  }

  /** A tenant's read with a latency target was answered. */
  public void answered(Tenant tenant, boolean isLate) {
    of(tenant).answered(isLate);
  }

  /** A class has moved so many bytes of data between disk and page cache, or a client's memory. */
  public void moved(DiskClass diskClass, long count) {
    bytes.get(diskClass).add(count);
  }

  public void turnBegun() {
    turns.increment();
  }

  public void lost() {
    lost.increment();
  }

  public void refused() {
    refused.increment();
  }

  public void overdue() {
    overdue.increment();
  }

  /** The disk time that a class has used, in nanoseconds. */
  public long usedNanos(DiskClass diskClass) {
    return usedNanos.get(diskClass).sum();
  }

  /** The bytes of data that a class has moved. */
  public long bytes(DiskClass diskClass) {
    return bytes.get(diskClass).sum();
  }

  public long turns() {
    return turns.sum();
  }

  /** Reads that were at the disk and never came back. */
  public long lostReads() {
    return lost.sum();
  }

  /** Waits of reads of a class. */
  public long waits(DiskClass diskClass) {
    return waits.get(diskClass).sum();
  }

  /** Their total length, in nanoseconds. */
  public long waitNanos(DiskClass diskClass) {
    return waitNanos.get(diskClass).sum();
  }

  /** Turns that were not used because too many threads were at the disk. */
  public long refusedTurns() {
    return refused.sum();
  }

  /** Waits that were ended because they had taken too long. */
  public long overdueWaits() {
    return overdue.sum();
  }
}
