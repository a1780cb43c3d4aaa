// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.disktime;

import java.util.EnumMap;
import java.util.Map;

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

  /** Later than any time, so that nobody is there since. */
  private static final long NOT_AT_FILES = Long.MAX_VALUE;

  private static final Map<DiskClass, Owner> NOBODYS = new EnumMap<>(DiskClass.class);

  static {
    for (DiskClass each : DiskClass.values()) {
      NOBODYS.put(each, new Owner(each, Tenant.DEFAULT));
    }
  }

  /** The weight of a best-effort read's level. */
  final double weight;

  /** The sequential access that this read belongs to; null for a short read. */
  final Stream stream;

  /** Whose use it counts for. */
  private Owner owner;

  /** Guarded by the lock for writing; read without it, too. */
  private volatile State state = State.OUT;

  /** Since when its thread is at its files; {@link #NOT_AT_FILES} if it is not. */
  private volatile long atFilesSince = NOT_AT_FILES;

  /** When it asked last; guarded by the lock, as the fields below. */
  long askedAt;

  /** The turn that it is part of; null if there is none. */
  Turn turn;

  /** What each owner had had of the disk when it began to wait ({@link Blame}); else null. */
  long[] clocks;

  /** What the owner asks for. */
  final Demand demand = new Demand();

  /** What the owner does at the disk. */
  final DiskUse use = new DiskUse();

  /** The same of a real-time read. */
  final RealtimeUse realtime = new RealtimeUse();

  /** What {@link HeldReads} knows of it. */
  final HeldRead held = new HeldRead();

  /**
   * A claim outside of the queue. A short one of class idle is a stream of its own: short reads go
   * before streams, which is more than idle may have.
   *
   * @param weight of the read's level among its class; more than 0
   * @param stream null for a short read or sync, and for real-time
   */
  public Claim(DiskClass diskClass, double weight, Stream stream) {
    this.owner = NOBODYS.get(diskClass);
    this.weight = weight;
    this.stream = stream == null && isIdleClass() ? new Stream() : stream;
  }

  // ---- what the owner asks for, set before it asks -------------------------------------------

  /**
   * Whose use it counts for; by default {@link Tenant#DEFAULT}'s. Set before it asks at all.
   *
   * @param whose of the class of the claim
   */
  public final void setOwner(Owner whose) {
    checkOut();
    check(whose.diskClass() == diskClass(), "it is not of " + whose);
    owner = whose;
  }

  /** Where its next request is on the device, in bytes, or {@link #UNKNOWN_PLACE}. */
  public final void setPlace(long next) {
    mayChange().place = next;
  }

  /**
   * Sets when the read should be answered.
   *
   * @param reads how many are expected to follow before that, one after the other
   */
  public final void setDeadline(long at, int reads) {
    mayChange().deadline = at;
    demand.following = reads;
  }

  /** The read has no deadline any more. */
  public final void clearDeadline() {
    mayChange().deadline = Demand.NO_DEADLINE;
  }

  /**
   * What a real-time read asks for next.
   *
   * @param count of parts of {@link #PART_BYTES}, at least 1
   */
  public final void setParts(int count) {
    mayChange().parts = count;
  }

  /** Whether a real-time read asks to go on where it, or another one, has been. */
  public final void setContinues(boolean does) {
    mayChange().continues = does;
  }

  /** It writes, as a stream does. */
  public final void setWrites() {
    mayChange().writes = true;
  }

  /** It is a sync of what was written. */
  public final void setSyncs() {
    setWrites();
    demand.syncs = true;
  }

  /** As how many streams it counts where disk time is shared out, 1 or more. */
  public final void setStreams(double count) {
    mayChange().streams = count;
  }

  private Demand mayChange() {
    check(state != State.WAITING, "it waits for what it has asked for");
    return demand;
  }

  // ---- what the owner does at the disk; without the lock ---------------------------------------

  /** The owner reads from its files, or opens them, which may need the disk; in a turn or not. */
  public final void atFiles(long now) {
    atFilesSince = now;
  }

  /** The owner does something else. */
  public final void leavesFiles() {
    atFilesSince = NOT_AT_FILES;
  }

  /** The owner waits for something other than the disk. */
  public final void pause(long now) {
    use.pause(now);
  }

  /** The owner goes on. */
  public final void resume(long now) {
    use.resume(now);
  }

  /** The owner has read some bytes, or written. */
  public final void read(int count) {
    use.moved(count);
  }

  /** The owner has read some bytes that were not in the page cache, and waited for nothing else. */
  public final void readFromDisk(int count) {
    use.movedFromDisk(count);
  }

  // ---- what the owner may ask -----------------------------------------------------------------

  public final DiskClass diskClass() {
    return owner.diskClass();
  }

  public final double weight() {
    return weight;
  }

  /** Whose use it counts for. */
  public final Owner owner() {
    return owner;
  }

  public final Tenant tenant() {
    return owner.tenant();
  }

  /** What it was granted, for people; who knows no more than the class says that. */
  public String priority() {
    return diskClass().shortName();
  }

  /** The sequential access that it belongs to; null for a short read. */
  public final Stream stream() {
    return stream;
  }

  public final boolean isRealtime() {
    return diskClass() == DiskClass.REALTIME;
  }

  public final boolean isIdleClass() {
    return diskClass() == DiskClass.IDLE;
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
    return use.bytes();
  }

  /** The time at the disk since the claim went in, in nanoseconds. */
  public final long usedNanos(long now) {
    return use.nanos(now);
  }

  /** Whether it writes. */
  public final boolean isWriting() {
    return demand.writes;
  }

  /** Whether a real-time read was at the disk since it went in. */
  public final boolean hasUsedDisk() {
    return realtime.usedDisk;
  }

  /** Whether it should be answered by a time. */
  public final boolean hasDeadline() {
    return demand.hasDeadline();
  }

  // ---- what the disk does with it; with the lock -----------------------------------------------

  /** It waits for the disk from now on. */
  final void waits() {
    state = State.WAITING;
  }

  /** It may use the disk from now on. */
  final void enter(long now) {
    use.begin(now);
    realtime.begin(demand);
    state = State.IN;
  }

  /** It neither uses the disk nor waits for it. */
  final void leave() {
    state = State.OUT;
  }

  /** For how long it may be held, until it is answered. */
  final long heldNanos() {
    return Math.min(demand.deadline - askedAt, HeldReads.MAX_HOLD_NANOS);
  }

  /** Since when its owner is at its files; later than any time if it is not. */
  final long atFilesSince() {
    return atFilesSince;
  }

  /** Its part of the disk time among the streams of its class. */
  final double portion() {
    return weight * demand.streams;
  }

  /** When it is regarded as lost, if it is at the disk and is not seen before. */
  final long lostAt() {
    return use.seenAt() + (demand.syncs ? Turns.MAX_SYNC_NANOS : Disk.LOST_NANOS);
  }

  // ---- misuse -----------------------------------------------------------------------------------

  /** It must be real-time, or must not. */
  final Claim checkRealtime(boolean wanted) {
    check(isRealtime() == wanted, wanted ? "it is not real-time" : "it is real-time");
    return this;
  }

  final void checkIn() {
    check(state == State.IN, "it is not in");
  }

  final void checkOut() {
    check(state == State.OUT, "it has asked already");
  }

  final void checkNotWaiting() {
    check(state != State.WAITING, "it waits already");
  }

  private void check(boolean isAllowed, String otherwise) {
    if (!isAllowed) {
      throw new IllegalStateException(diskClass() + " claim, " + state + ": " + otherwise);
    }
  }
}
