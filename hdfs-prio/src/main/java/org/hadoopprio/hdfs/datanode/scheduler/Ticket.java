// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.hdfs.datanode.scheduler;

import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.hadoopprio.IoClass;
import org.hadoopprio.IoPriority;
import org.hadoopprio.linux.FileExtent;

/**
 * One read's place at the disk of a volume, from the read's first request to its last; also that of
 * a write that takes turns like a stream. The thread that does the read owns it; {@link
 * VolumeScheduler} moves it between the states.
 */
final class Ticket {

  enum State {
    /** Neither at the disk nor waiting for it. */
    OUT,
    /** Waiting for the disk. */
    WAITING,
    /** At the disk, or between two requests for which it need not ask. */
    IN
  }

  /** The value of {@link #deadline} of a read without a latency target. */
  static final long NO_DEADLINE = Long.MAX_VALUE;

  /** The value of {@link #idleSince} of a read that is at the disk. */
  static final long BUSY = Long.MIN_VALUE;

  final IoClass ioClass;

  /** The weight of a best-effort read's level. */
  final double weight;

  /** The sequential access that this read belongs to; null for a short read. */
  final Stream stream;

  /** Guarded by the volume's lock for writing; the owner reads it without. */
  volatile State state = State.OUT;

  /** Since when the read waits for something other than the disk, or {@link #BUSY}. */
  volatile long idleSince = BUSY;

  /** When the owner was last seen. */
  volatile long seenAt;

  /** The time since {@link #enteredAt} that the read did not spend at the disk. */
  volatile long idleNanos;

  /** Bytes read since the turn began; written by the owner. */
  volatile long bytes;

  /**
   * Where its next request is on the device, or last one was ({@link FileExtent#place}); written by
   * the owner.
   */
  volatile long place = FileExtent.UNKNOWN;

  /**
   * When the read should be answered; set by the owner before it asks for the first time. Streams
   * heed none.
   */
  long deadline = NO_DEADLINE;

  /** When a short read that waits has to end, as was expected when it came. */
  long endsBy;

  /** How many reads are expected to follow before the deadline, one after the other. */
  int following;

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

  /** Whether it writes; set by the owner before it asks for the first time. */
  boolean writes;

  /** Whether it is a sync of what was written; set like {@link #writes}. */
  boolean syncs;

  /**
   * As how many streams it counts where disk time is shared out, 1 or more; changed by the owner
   * before it asks.
   */
  volatile double streams = 1;

  /** The fields below are guarded by the volume's lock. */
  long askedAt;

  long enteredAt;
  Turn turn;

  /** What those need that follow a read which is held, in nanoseconds. */
  long leadNanos;

  /** Whether a read that is held follows another one, as that one has said. */
  boolean follows;

  /** Until when another read may follow this one; {@link Long#MIN_VALUE} if none may. */
  long followedUntil = Long.MIN_VALUE;

  /** The reads that it was held with; null if it was not. */
  HeldReads.Group group;

  /** Whether a real-time read has not yet begun to read data. */
  boolean opening;

  /** How many parts of 256 KiB a real-time read asks for; set by the owner before it asks. */
  int parts = 1;

  /** Whether a real-time read asks to go on where it, or another one, has been. */
  boolean continues;

  /** The two above as they were when the read went in. */
  boolean sequential;

  int partsIn;

  /** Whether a real-time read was at the disk since it went in. */
  boolean usedDisk;

  /** Whether another real-time read was at the disk together with this one since it went in. */
  boolean shared;

  /** The disk time of a real-time read since it went in; meaningless if it was shared. */
  long aloneNanos;

  /** How long a real-time read has opened its files on the disk. */
  long openNanos;

  /** Whether a real-time read counts as being at the disk. */
  boolean counted;

  /** The thread that waits; null if none does. */
  Thread waiter;

  /** What waits without a thread; null if nothing does. */
  TurnWork work;

  /** When its wait ends at the latest; meaningless if it does not wait. */
  long waitsUntil;

  /**
   * A ticket outside of the queue. A short one of class idle is a stream of its own: short reads go
   * before streams, which is more than idle may have.
   *
   * @param priority null for none
   * @param stream null for a short read or sync, and for real-time
   */
  Ticket(IoPriority priority, double weight, Stream stream) {
    this.ioClass = priority == null ? IoClass.NONE : priority.ioClass();
    this.weight = weight;
    this.stream = stream == null && isIdleClass() ? new Stream() : stream;
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
      following = reads;
      deadline = now + TimeUnit.MILLISECONDS.toNanos(priority.targetMillis());
    }
  }

  boolean hasDeadline() {
    return deadline != NO_DEADLINE;
  }

  /** For how long it may be held, until it is answered. */
  long heldNanos() {
    return Math.min(deadline - askedAt, HeldReads.MAX_HOLD_NANOS);
  }

  /** Its part of the disk time among the streams of its class. */
  double portion() {
    return weight * streams;
  }

  boolean isRealtime() {
    return ioClass == IoClass.REALTIME;
  }

  boolean isIdleClass() {
    return ioClass == IoClass.IDLE;
  }

  /** When it is regarded as lost, if it is at the disk and is not seen before. */
  long lostAt() {
    return seenAt + (syncs ? Turns.MAX_SYNC_NANOS : VolumeScheduler.LOST_NANOS);
  }

  /** The read may use the disk from now on. */
  void enter(long now) {
    seenAt = now;
    enteredAt = now;
    idleSince = BUSY;
    idleNanos = 0;
    bytes = 0;
    usedDisk = false;
    shared = false;
    aloneNanos = 0;
    openNanos = 0;
    state = State.IN;
  }

  /** The owner waits for something other than the disk. */
  void pause(long now) {
    seenAt = now;
    if (idleSince == BUSY) {
      idleSince = now;
    }
  }

  /** The owner has read some bytes, or written. */
  void read(int count) {
    long before = bytes;
    bytes = before + count;
  }

  /** The owner goes on. */
  void resume(long now) {
    seenAt = now;
    long since = idleSince;
    if (since != BUSY) {
      long before = idleNanos;
      idleNanos = before + now - since;
      idleSince = BUSY;
    }
  }

  /** The time at the disk since the ticket went in, in nanoseconds. */
  long usedNanos(long now) {
    long since = idleSince;
    long until = since == BUSY ? now : since;
    return Math.max(0, until - enteredAt - idleNanos);
  }
}
