// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.hdfs.datanode.scheduler;

import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.hadoopprio.IoClass;
import org.hadoopprio.IoPriority;
import org.hadoopprio.disktime.Claim;
import org.hadoopprio.disktime.DiskClass;
import org.hadoopprio.disktime.Stream;

/** A claim to the disk, and who waits with it: a thread, or work that waits without one. */
final class Ticket extends Claim {

  /** For whom it reads; set by the owner before it asks for the first time. */
  ClientConnection client = ClientConnection.UNKNOWN;

  /**
   * Whether what its volume does takes turns at present; others on the disk may have another mode.
   * Set by the owner before it asks for the first time. Whoever waits asks again and again.
   */
  BooleanSupplier inForce = () -> true;

  /** How long it may wait for one packet; set by the owner before it asks for the first time. */
  long longestWaitNanos = VolumeQueue.MAX_WAIT_NANOS;

  /**
   * Whether its wait ends before the DataNode's own limit, for its client's sake: no fault of the
   * disk. Set by the owner before it asks.
   */
  boolean impatient;

  /** The thread that waits; null if none does. Guarded by the lock, as the fields below. */
  Thread waiter;

  /** What waits without a thread; null if nothing does. */
  TurnWork work;

  /** When its wait ends at the latest; meaningless if it does not wait. */
  long waitsUntil;

  /** Whether it was above real-time's share when it asked last. */
  boolean paced;

  private final IoPriority priority;

  /**
   * A ticket outside of the queue.
   *
   * @param priority null for none
   * @param stream null for a short read or sync, and for real-time
   */
  Ticket(IoPriority priority, double weight, Stream stream) {
    super(diskClass(priority), weight, stream);
    this.priority = priority == null ? IoPriority.NONE : priority;
  }

  /**
   * The class in which a disk's time is counted; no priority counts as best-effort.
   *
   * @param priority null for none
   */
  static DiskClass diskClass(IoPriority priority) {
    switch (priority == null ? IoClass.NONE : priority.ioClass()) {
      case REALTIME:
        return DiskClass.REALTIME;
      case IDLE:
        return DiskClass.IDLE;
      default:
        return DiskClass.BEST_EFFORT;
    }
  }

  /** The class of the read's priority; {@link IoClass#NONE} without one. */
  IoClass ioClass() {
    return priority.ioClass();
  }

  @Override
  public String priority() {
    return priority.toString();
  }

  /**
   * Sets the deadline.
   *
   * @param priority null for none
   * @param reads how many are expected to follow before the deadline
   * @param now when its latency target begins to count
   */
  void setTarget(IoPriority priority, int reads, long now) {
    if (priority != null && priority.hasTarget()) {
      setDeadline(now + TimeUnit.MILLISECONDS.toNanos(priority.targetMillis()), reads);
    }
  }
}
