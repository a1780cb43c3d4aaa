// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.hdfs.datanode;

import java.util.List;
import java.util.concurrent.TimeUnit;
import org.hadoopprio.IoClass;
import org.hadoopprio.IoPriority;
import org.hadoopprio.IoRole;
import org.hadoopprio.hdfs.datanode.scheduler.Volume;
import org.hadoopprio.linux.ThreadIoPriority;
import org.hadoopprio.metrics.ClassMetrics;
import org.hadoopprio.metrics.PriorityMetrics;
import org.hadoopprio.policy.Admission;

/**
 * A read or write that a thread of the DataNode is doing. Its role counts it, and the reads or
 * writes of its class if a client has it done at a priority. Not thread-safe; used by that thread
 * only.
 */
final class ServedRequest {

  private static final long SHORT_BYTES = 256 << 10;

  /** Null at the normal priority. */
  private final IoPriority priority;

  private final Runnable release;
  private final List<ClassMetrics> metrics;
  private final long startNanos = System.nanoTime();

  /** What the priority is for; null if it stays to the end. */
  private Volume volume;

  /** Run at the end of a read that is only observed. */
  private Runnable observed = () -> {};

  private int priorityToRestore = ThreadIoPriority.UNCHANGED;

  private long bytes;
  private boolean refused;

  private ServedRequest(IoPriority priority, Runnable release, List<ClassMetrics> metrics) {
    this.priority = priority;
    this.release = release;
    this.metrics = metrics;
    metrics.forEach(counted -> counted.requests().increment());
  }

  /** A client's read that has been admitted. */
  static ServedRequest read(IoRole role, Admission admission) {
    IoPriority priority = admission.priority();
    return admitted(admission, priority, role, PriorityMetrics.reads(priority.ioClass()));
  }

  /** A client's write that has been admitted; writes have no target. */
  static ServedRequest write(IoRole role, Admission admission) {
    IoPriority priority = admission.priority().withoutTarget();
    return admitted(admission, priority, role, PriorityMetrics.writes(priority.ioClass()));
  }

  /** Counts a read that had a latency target. A long one may take longer than any target. */
  private void countTarget(long nanos) {
    if (priority != null && priority.hasTarget() && bytes <= SHORT_BYTES && !refused) {
      PriorityMetrics.TARGETED.increment();
      if (nanos > TimeUnit.MILLISECONDS.toNanos(priority.targetMillis())) {
        PriorityMetrics.LATE.increment();
      }
    }
  }

  private static ServedRequest admitted(
      Admission admission, IoPriority priority, IoRole role, ClassMetrics ofClass) {
    return new ServedRequest(
        priority, admission::release, List.of(ofClass, ofRole(role, priority)));
  }

  /**
   * Anything else: what the DataNode does of its own accord, and what has no priority.
   *
   * @param priority null for none
   */
  static ServedRequest of(IoRole role, IoPriority priority) {
    return new ServedRequest(priority, () -> {}, List.of(ofRole(role, priority)));
  }

  private static ClassMetrics ofRole(IoRole role, IoPriority priority) {
    return PriorityMetrics.roles(role, priority == null ? IoClass.NONE : priority.ioClass());
  }

  /** Whether it has a priority. */
  boolean hasPriority() {
    return priority != null;
  }

  /** Gives the calling thread the priority, if there is one. */
  void applyPriority() {
    if (priority != null) {
      priorityToRestore = ThreadIoPriority.apply(priority);
    }
  }

  /** The same for a request that goes on packet by packet. */
  void applyPriority(Volume of) {
    applyPriority();
    volume = of;
  }

  /** It goes on with its next packet: without the priority, if that was switched off meanwhile. */
  void goOn() {
    if (volume != null
        && priorityToRestore != ThreadIoPriority.UNCHANGED
        && volume.mode().isStock()) {
      restorePriority();
    }
  }

  /** It goes on without the priority. */
  void restorePriority() {
    int before = priorityToRestore;
    priorityToRestore = ThreadIoPriority.UNCHANGED;
    ThreadIoPriority.restore(before);
  }

  /** It is stock, and only observed. */
  void setObserved(Runnable end) {
    observed = end;
  }

  /** It was not done, because it would have been late. */
  void setRefused() {
    refused = true;
  }

  /** Counts bytes of block data that have been sent or received. */
  void moved(long count) {
    bytes += count;
  }

  /** Restores the thread's priority and gives back the request's places in the caps. */
  void giveBack() {
    try {
      restorePriority();
    } finally {
      try {
        release.run();
      } finally {
        observed.run();
      }
    }
  }

  /** The same for a request that has been served: its bytes and its time are counted. */
  void finish() {
    giveBack();
    long nanos = System.nanoTime() - startNanos;
    countTarget(nanos);
    metrics.forEach(counted -> counted.served(bytes, nanos));
  }
}
