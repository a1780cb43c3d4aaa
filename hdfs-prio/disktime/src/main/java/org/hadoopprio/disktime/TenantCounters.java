// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.disktime;

import java.util.EnumMap;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;

/** What a tenant has had of one disk, and who had it meanwhile. Thread-safe. */
public final class TenantCounters {

  private final Map<DiskClass, LongAdder> usedNanos = new EnumMap<>(DiskClass.class);
  private final LongAdder waits = new LongAdder();
  private final LongAdder waitNanos = new LongAdder();
  private final LongAdder slow = new LongAdder();
  private final LongAdder targeted = new LongAdder();
  private final LongAdder late = new LongAdder();

  /** By who had the disk. */
  private final Map<Owner, LongAdder> blamedNanos = new ConcurrentHashMap<>();

  TenantCounters() {
    for (DiskClass each : DiskClass.values()) {
      usedNanos.put(each, new LongAdder());
    }
  }

  void used(DiskClass diskClass, long nanos) {
    usedNanos.get(diskClass).add(nanos);
  }

  void waited(long nanos) {
    waits.increment();
    waitNanos.add(nanos);
  }

  void wasSlow() {
    slow.increment();
  }

  void blamed(Owner holder, long nanos) {
    blamedNanos.computeIfAbsent(holder, each -> new LongAdder()).add(nanos);
  }

  void answered(boolean isLate) {
    targeted.increment();
    if (isLate) {
      late.increment();
    }
  }

  /**
   * The disk time that its requests of a class have used, in nanoseconds, without that of turns
   * which go on. What several have used together counts once.
   */
  public long usedNanos(DiskClass diskClass) {
    return usedNanos.get(diskClass).sum();
  }

  /** The same of all classes. */
  public long usedNanos() {
    return usedNanos.values().stream().mapToLong(LongAdder::sum).sum();
  }

  /** Its waits for the disk that have ended. */
  public long waits() {
    return waits.sum();
  }

  /** Their total length, in nanoseconds. */
  public long waitNanos() {
    return waitNanos.sum();
  }

  /** Those of them that were {@link SlowReads slow reads}. */
  public long slow() {
    return slow.sum();
  }

  /** Its short reads with a latency target that were answered. */
  public long targeted() {
    return targeted.sum();
  }

  /** Those of them that were answered too late. */
  public long late() {
    return late.sum();
  }

  /**
   * Who had the disk during these waits, itself included, in nanoseconds for each. The rest of the
   * {@link #waitNanos} nobody had it: it was kept, or a limit was reached.
   */
  public Map<Owner, Long> blamedNanos() {
    Map<Owner, Long> all = new HashMap<>();
    blamedNanos.forEach((holder, nanos) -> all.put(holder, nanos.sum()));
    return all;
  }
}
