// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.hdfs.datanode.scheduler;

import java.util.EnumMap;
import java.util.Map;
import java.util.concurrent.atomic.LongAdder;

/** What has happened at the queue of one volume. Thread-safe. */
final class VolumeCounters {

  private final Map<DiskClass, LongAdder> waits = new EnumMap<>(DiskClass.class);
  private final Map<DiskClass, LongAdder> waitNanos = new EnumMap<>(DiskClass.class);
  private final Map<DiskClass, LongAdder> usedNanos = new EnumMap<>(DiskClass.class);
  private final Map<DiskClass, LongAdder> bytes = new EnumMap<>(DiskClass.class);
  private final LongAdder turns = new LongAdder();
  private final LongAdder lost = new LongAdder();
  private final LongAdder overdue = new LongAdder();
  private final LongAdder refused = new LongAdder();

  VolumeCounters() {
    for (DiskClass each : DiskClass.values()) {
      waits.put(each, new LongAdder());
      waitNanos.put(each, new LongAdder());
      usedNanos.put(each, new LongAdder());
      bytes.put(each, new LongAdder());
    }
  }

  void waited(DiskClass diskClass, long nanos) {
    waits.get(diskClass).increment();
    waitNanos.get(diskClass).add(nanos);
  }

  void used(DiskClass diskClass, long nanos) {
    usedNanos.get(diskClass).add(nanos);
  }

  /** A class has moved so many bytes of data between disk and page cache, or a client's memory. */
  void moved(DiskClass diskClass, long count) {
    bytes.get(diskClass).add(count);
  }

  void turnBegun() {
    turns.increment();
  }

  void lost() {
    lost.increment();
  }

  void refused() {
    refused.increment();
  }

  void overdue() {
    overdue.increment();
  }

  /** The disk time that a class has used, in nanoseconds. */
  long usedNanos(DiskClass diskClass) {
    return usedNanos.get(diskClass).sum();
  }

  /** The bytes of data that a class has moved. */
  long bytes(DiskClass diskClass) {
    return bytes.get(diskClass).sum();
  }

  long turns() {
    return turns.sum();
  }

  /** Reads that were at the disk and never came back. */
  long lostReads() {
    return lost.sum();
  }

  /** Waits of reads of a class. */
  long waits(DiskClass diskClass) {
    return waits.get(diskClass).sum();
  }

  /** Their total length, in nanoseconds. */
  long waitNanos(DiskClass diskClass) {
    return waitNanos.get(diskClass).sum();
  }

  /** Turns that were not used because too many threads were at the disk. */
  long refusedTurns() {
    return refused.sum();
  }

  /** Waits that were ended because they had taken too long. */
  long overdueWaits() {
    return overdue.sum();
  }
}
