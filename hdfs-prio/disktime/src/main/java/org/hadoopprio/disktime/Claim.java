// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.disktime;

/**
 * One read's place at a disk, from the read's first request to its last; also that of a write that
 * takes turns like a stream. The thread that does the read owns it, and sets what it asks for
 * before it asks; {@link Disk} moves it between the states. A caller that has more to remember of
 * who waits extends it.
 */
public class Claim {

  /** Where a claim is. */
  public enum State {
    /** Neither at the disk nor waiting for it. */
    OUT,
    /** Waiting for the disk. */
    WAITING,
    /** At the disk, or between two requests for which it need not ask. */
    IN
  }

  /** The place of data of which it is not known. */
  public static final long UNKNOWN_PLACE = -1;

  /** A part of a real-time read, in bytes: what a random read, such as HBase's of a block, asks. */
  public static final long PART_BYTES = 256 << 10;

  /** The value of {@link #deadline} of a read without a latency target. */
  static final long NO_DEADLINE = Long.MAX_VALUE;

  /** The value of {@link #idleSince} of a read that is at the disk. */
  static final long BUSY = Long.MIN_VALUE;

  private final DiskClass diskClass;

  /** The weight of a best-effort read's level. */
  final double weight;

  /** The sequential access that this read belongs to; null for a short read. */
  final Stream stream;

  /** Guarded by the lock for writing; the owner reads it without. */
  volatile State state = State.OUT;

  /** Since when the read waits for something other than the disk, or {@link #BUSY}. */
  volatile long idleSince = BUSY;

  /** When the owner was last seen. */
  volatile long seenAt;

  /** The time since {@link #enteredAt} that the read did not spend at the disk. */
  volatile long idleNanos;

  /** Bytes read since the turn began; written by the owner. */
  volatile long bytes;

  /** Where its next request is on the device, or last one was; written by the owner. */
  volatile long place = Claim.UNKNOWN_PLACE;

  /**
   * When the read should be answered; set by the owner before it asks for the first time. Streams
   * heed none.
   */
  long deadline = NO_DEADLINE;

  /** When a short read that waits has to end, as was expected when it came. */
  long endsBy;

  /** How many reads are expected to follow before the deadline, one after the other. */
  int following;

  /** Whether it writes. */
  boolean writes;

  /** Whether it is a sync of what was written. */
  boolean syncs;

  /**
   * As how many streams it counts where disk time is shared out, 1 or more; changed by the owner
   * before it asks.
   */
  volatile double streams = 1;

  /** The fields below are guarded by the lock. */
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

  /** How many parts of 256 KiB a real-time read asks for. */
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

  /**
   * A claim outside of the queue. A short one of class idle is a stream of its own: short reads go
   * before streams, which is more than idle may have.
   *
   * @param weight of the read's level among its class; more than 0
   * @param stream null for a short read or sync, and for real-time
   */
  public Claim(DiskClass diskClass, double weight, Stream stream) {
    this.diskClass = diskClass;
    this.weight = weight;
    this.stream = stream == null && isIdleClass() ? new Stream() : stream;
  }

  // ---- what the owner asks for, set before it asks -------------------------------------------

  /** Where its next request is on the device, in bytes, or {@link #UNKNOWN_PLACE}. */
  public final void setPlace(long next) {
    place = next;
  }

  /**
   * Sets when the read should be answered.
   *
   * @param reads how many are expected to follow before that, one after the other
   */
  public final void setDeadline(long at, int reads) {
    following = reads;
    deadline = at;
  }

  /** The read has no deadline any more. */
  public final void clearDeadline() {
    deadline = NO_DEADLINE;
  }

  /**
   * What a real-time read asks for next.
   *
   * @param count of parts of {@link #PART_BYTES}, at least 1
   */
  public final void setParts(int count) {
    parts = count;
  }

  /** Whether a real-time read asks to go on where it, or another one, has been. */
  public final void setContinues(boolean does) {
    continues = does;
  }

  /** It writes, as a stream does. */
  public final void setWrites() {
    writes = true;
  }

  /** It is a sync of what was written. */
  public final void setSyncs() {
    writes = true;
    syncs = true;
  }

  /** As how many streams it counts where disk time is shared out, 1 or more. */
  public final void setStreams(double count) {
    streams = count;
  }

  // ---- what the owner may ask -----------------------------------------------------------------

  public final DiskClass diskClass() {
    return diskClass;
  }

  public final double weight() {
    return weight;
  }

  /** The sequential access that it belongs to; null for a short read. */
  public final Stream stream() {
    return stream;
  }

  /** Read without the lock, too. */
  public final State state() {
    return state;
  }

  /** Whether it is at the disk, or between two requests for which it need not ask. */
  public final boolean isIn() {
    return state == State.IN;
  }

  /** Whether it waits for the disk. */
  public final boolean isWaiting() {
    return state == State.WAITING;
  }

  /** Whether it is neither at the disk nor waiting for it. */
  public final boolean isOut() {
    return state == State.OUT;
  }

  /** When it asked last; guarded by the lock. */
  public final long askedAt() {
    return askedAt;
  }

  /** The bytes it has read, or written, since its turn began. */
  public final long bytes() {
    return bytes;
  }

  /** Whether it writes. */
  public final boolean isWriting() {
    return writes;
  }

  /** Whether a real-time read was at the disk since it went in. */
  public final boolean hasUsedDisk() {
    return usedDisk;
  }

  /** Whether it should be answered by a time. */
  public final boolean hasDeadline() {
    return deadline != NO_DEADLINE;
  }

  /** For how long it may be held, until it is answered. */
  final long heldNanos() {
    return Math.min(deadline - askedAt, HeldReads.MAX_HOLD_NANOS);
  }

  /** Its part of the disk time among the streams of its class. */
  final double portion() {
    return weight * streams;
  }

  public final boolean isRealtime() {
    return diskClass == DiskClass.REALTIME;
  }

  public final boolean isIdleClass() {
    return diskClass == DiskClass.IDLE;
  }

  /** When it is regarded as lost, if it is at the disk and is not seen before. */
  final long lostAt() {
    return seenAt + (syncs ? Turns.MAX_SYNC_NANOS : Disk.LOST_NANOS);
  }

  /** The read may use the disk from now on. */
  final void enter(long now) {
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
  public final void pause(long now) {
    seenAt = now;
    if (idleSince == BUSY) {
      idleSince = now;
    }
  }

  /** The owner has read some bytes, or written. */
  public final void read(int count) {
    long before = bytes;
    bytes = before + count;
  }

  /** The owner goes on. */
  public final void resume(long now) {
    seenAt = now;
    long since = idleSince;
    if (since != BUSY) {
      long before = idleNanos;
      idleNanos = before + now - since;
      idleSince = BUSY;
    }
  }

  /** The time at the disk since the claim went in, in nanoseconds. */
  public final long usedNanos(long now) {
    long since = idleSince;
    long until = since == BUSY ? now : since;
    return Math.max(0, until - enteredAt - idleNanos);
  }
}
