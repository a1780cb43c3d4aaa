// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.disktime;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * The turns of a disk: streams, short reads and syncs of the classes best-effort and idle.
 *
 * <ul>
 *   <li>Streams have the disk one at a time on a single spindle, for a number of bytes or a time
 *       ({@link TurnLength}), so that it reads in long runs. The next turn goes to one that is
 *       near, has used little of the disk for its weight, or waits for long ({@link Share}).
 *   <li>Short reads and syncs go together between two turns of streams, and have two thirds of the
 *       time at most ({@link ShortReads}, {@link OwedToStreams}). After a sync of a greater weight
 *       than any stream's, the next one is awaited for a moment.
 *   <li>A read that does not use the disk for {@link #GRACE_NANOS} loses its turn to others.
 * </ul>
 *
 * <p>Not thread-safe, but for what is said to be: guarded by the lock. Times are nanoseconds of one
 * monotonic clock.
 */
final class Turns {

  /** The most short reads of other classes at the disk together: a drive picks the nearest. */
  static final int SHORT_DEPTH = 4;

  /** How long a turn outlasts the last use of the disk. */
  static final long GRACE_NANOS = TimeUnit.MILLISECONDS.toNanos(1);

  /** A read that has waited for this time goes next; one of idle by {@link Shares}. */
  static final long OLD_NANOS = TimeUnit.SECONDS.toNanos(10);

  /** A sync holds others back for this time: how much it has to write is not known before. */
  static final long MAX_SYNC_NANOS = TimeUnit.SECONDS.toNanos(1);

  /** How long a request of another class may take that was at the disk before real-time. */
  static final long MAX_FREE_NANOS = TimeUnit.MILLISECONDS.toNanos(20);

  private final int streams;
  private final Supplier<DiskSettings> settings;
  private final Consumer<Claim> granted;
  private final DiskCounters counters;
  private final ServiceMeter meter;
  private final ShortReads shorts;
  private final TurnLength length;
  private final OwedToStreams owed = new OwedToStreams();

  private final Set<Claim> in = new LinkedHashSet<>();
  private final List<Turn> turns = new ArrayList<>();

  /** The number of turns now; also read without the lock. */
  private volatile int turnsNow;

  /** The number of reads that are in; also read without the lock. */
  private volatile int inNow;

  private final Shares shares;
  private final Share bestEffort;
  private final IdleBesideShorts besideShorts;

  /** When a read that has left was last at the disk. */
  private long usedAt;

  /** How long real-time has had the disk without a charge since a read last came or went. */
  private long freeNanos;

  private long begunAt;

  /** Where on the device the last read was that has left, if that is known. */
  private long arm = Claim.UNKNOWN_PLACE;

  /** The number of reads that wait; also read without the lock. */
  private volatile int waiting;

  /**
   * No turn.
   *
   * @param streams how many may have a turn together, at least 1
   * @param granted called for each read that may go now
   * @param held knows what a read with a deadline needs
   * @param meter learns from the turns how fast the disk reads
   */
  Turns(
      int streams,
      Supplier<DiskSettings> settings,
      long now,
      DiskCounters counters,
      Consumer<Claim> granted,
      RealtimeSigns signs,
      HeldReads held,
      ServiceMeter meter) {
    this.streams = streams;
    this.settings = settings;
    this.counters = counters;
    this.granted = granted;
    this.meter = meter;
    this.shorts = new ShortReads(held);
    this.shares = new Shares(settings, this::usedNanos);
    this.bestEffort = shares.bestEffort();
    this.besideShorts = new IdleBesideShorts(shares, this::hasIdleTurn);
    this.length = new TurnLength(settings, signs, shorts, () -> waiting + turnsNow);
    this.usedAt = now - RealtimeReads.CONTENDED_NANOS - 1;
    this.begunAt = now;
  }

  // ---- what comes and goes -------------------------------------------------------------------

  /**
   * Whether a read that is in may make its next request as far as its turn goes. Read without the
   * lock.
   */
  boolean mayContinue(Claim claim, long now) {
    Turn turn = claim.turn;
    return waiting == 0
        || (turn != null && !length.isUsedUp(turn, claim.use.bytes(), claim.use.nanos(now), now));
  }

  /** A read asks for the disk for its next request, and waits. */
  void ask(Claim claim, long now) {
    leave(claim, now);
    claim.askedAt = now;
    claim.waits();
    wait(claim, now);
  }

  /** A read that waits stops waiting; it is not granted anything. */
  void withdraw(Claim claim) {
    claim.leave();
    countWaiting(-1);
    if (claim.stream == null) {
      shorts.remove(claim);
    } else {
      claim.stream.withdraw(claim);
    }
  }

  private void countWaiting(int change) {
    int before = waiting;
    waiting = before + change;
  }

  private boolean hasIdleTurn() {
    return turns.stream().anyMatch(turn -> turn.share == shares.idle());
  }

  private void wait(Claim claim, long now) {
    countWaiting(1);
    Stream stream = claim.stream;
    if (stream == null) {
      besideShorts.asked(now);
      shorts.add(claim);
      return;
    }
    stream.waiting.add(claim);
    if (stream.turn == null && stream.waiting.size() == 1) {
      stream.waitsIn(shares.of(claim), now, length.nanos(now));
    }
  }

  private void enter(Claim claim, Turn turn, long now) {
    countWaiting(-1);
    claim.turn = turn;
    claim.enter(now);
    freeNanos = 0;
    turn.in++;
    in.add(claim);
    inNow = in.size();
    granted.accept(claim);
  }

  /** A read needs the disk no more, or is regarded as lost. Does nothing if it is not in. */
  void leave(Claim claim, long now) {
    if (!claim.isIn()) {
      return;
    }
    claim.leave();
    arm = claim.demand.place;
    freeNanos = 0;
    in.remove(claim);
    inNow = in.size();
    long nanos = claim.use.nanos(now);
    long until = claim.use.until(now);
    usedAt = Math.max(usedAt, until);
    counters.used(claim.diskClass(), nanos);
    counters.moved(claim.diskClass(), claim.use.bytes());
    Turn turn = claim.turn;
    turn.in--;
    turn.usedNanos += nanos;
    turn.bytes += claim.use.bytes();
    turn.emptySince = Math.max(turn.emptySince, until);
    claim.turn = null;
    if (turn.stream == null) {
      turn.syncWeight = claim.demand.syncs ? claim.weight : 0;
      if (turn.in == 0 && shorts.isEmpty()) {
        besideShorts.left(now);
      }
    } else {
      // A stream owes nothing for the time in which it had the disk to itself. A sync writes what
      // came before others did, and owes all of it.
      long charged = claim.demand.syncs ? nanos : Math.min(nanos, settings.get().turnNanos());
      turn.stream.left(claim, charged, now);
    }
  }

  /** A real-time read has left, whose last request was there ({@link Claim#setPlace}). */
  void armAt(long place) {
    arm = place;
  }

  /**
   * Other reads are at the disk: its arm is elsewhere now.
   *
   * @return what that costs those whose turns it ends, in nanoseconds of disk time: the way to the
   *     next stream, as far as its turn was not used up
   */
  long interrupt(long now) {
    double cost = 0;
    for (Turn turn : turns) {
      if (turn.stream != null && !turn.interrupted) {
        double left = 1 - (now - turn.begunAt) / (double) length.nanos(turn, now);
        cost += DiskCosts.interruptionNanos(left);
      }
      turn.interrupted = true;
    }
    return (long) cost;
  }

  // ---- decisions -----------------------------------------------------------------------------

  /** Ends the turns that are over, and lets in what belongs to the others. */
  void goOn(long now) {
    endTurns(now);
    for (Turn turn : turns) {
      enterAll(turn, now);
    }
  }

  /** Whether another turn may begin. */
  boolean isOneFree() {
    return turns.size() < streams;
  }

  /** Lets turns begin. */
  void begin(long now) {
    while (turns.size() < streams) {
      Turn turn = next(now);
      if (turn == null) {
        return;
      }
      begunAt = now;
      counters.turnBegun();
      turn.besideRealtime = length.isRealtimeAtDisk();
      turns.add(turn);
      turnsNow = turns.size();
      enterAll(turn, now);
    }
  }

  private void endTurns(long now) {
    for (Claim claim : List.copyOf(in)) {
      if (now - claim.use.until(now) >= GRACE_NANOS) {
        leave(claim, now);
      }
    }
    for (Iterator<Turn> each = turns.iterator(); each.hasNext(); ) {
      Turn turn = each.next();
      if (turn.in == 0 && isOver(turn, now)) {
        each.remove();
        turnsNow = turns.size();
        end(turn, now);
      }
    }
  }

  private void end(Turn turn, long now) {
    Stream stream = turn.stream;
    if (stream == null) {
      owed.shortsHad(bestEffort.waits() ? turn.hadNanos(bestEffort.askedAt()) : 0);
      bestEffort.charge(turn.hadNanos(turn.begunAt), bestEffort.portion());
      return;
    }
    if (turn.share == bestEffort) {
      owed.streamHad(turn.hadNanos(turn.begunAt));
    }
    if (turn.isMeasured()) {
      meter.turn(turn.usedNanos, turn.bytes);
    }
    stream.turn = null;
    if (!stream.waiting.isEmpty()) {
      stream.waitsIn(turn.share, now, length.nanos(now));
    }
  }

  /** Whether a turn of which no read is in is over. */
  private boolean isOver(Turn turn, long now) {
    if (turn.stream == null) {
      return now - turn.begunAt >= length.nanos(now) || (shorts.isEmpty() && !isAwaited(turn, now));
    }
    if (turn.stream.waiting.isEmpty()) {
      return now - turn.emptySince >= GRACE_NANOS;
    }
    return length.isUsedUp(turn, 0, 0, now);
  }

  /**
   * Whether the turn of short reads goes on without one: whoever syncs one thing after the other
   * asks again in a moment, and the way to a stream and back would cost the disk two seeks.
   */
  private boolean isAwaited(Turn turn, long now) {
    return now - turn.emptySince < GRACE_NANOS && turn.syncWeight > bestEffort.greatestWeight();
  }

  private boolean mayShortsBegin() {
    return bestEffort.waits() ? owed.mayShortsBegin() : !besideShorts.isIdleDue();
  }

  private Turn next(long now) {
    if (!shorts.isEmpty() && mayShortsBegin()) {
      owed.shortsBegin();
      bestEffort.whole.begins(bestEffort);
      return new Turn(null, null, 0, now);
    }
    if (!shares.isAnyWaiting() || besideShorts.isKept(now)) {
      return null;
    }
    Stream stream = shares.take(new Share.Choice(now, now - OLD_NANOS, length.nanos(now), arm));
    Share share = stream.whole;
    Turn turn = new Turn(stream, share, share == bestEffort ? owed.nanos() : 0, now);
    stream.turn = turn;
    return turn;
  }

  private void enterAll(Turn turn, long now) {
    boolean isShort = turn.stream == null;
    while (mayEnter(turn, now) && !(isShort ? shorts.isEmpty() : turn.stream.waiting.isEmpty())) {
      enter(isShort ? shorts.take(now) : turn.stream.waiting.remove(), turn, now);
    }
  }

  /** Several reads may belong to one stream, and ask again one after the other. */
  private boolean mayEnter(Turn turn, long now) {
    return turn.in == 0
        || (turn.stream != null
            ? !length.isUsedUp(turn, 0, 0, now)
            : turn.in < SHORT_DEPTH && now - turn.begunAt < length.nanos(now));
  }

  /** Drops one read that was not seen for too long. */
  void dropLost(long now) {
    for (Claim claim : in) {
      if (claim.use.isBusy() && now >= claim.lostAt()) {
        if (!claim.demand.syncs) {
          counters.lost();
        }
        leave(claim, now);
        return;
      }
    }
  }

  // ---- what others ask -----------------------------------------------------------------------

  /** The reads that wait. Read without the lock, too. */
  int waiting() {
    return waiting;
  }

  /** The reads that wait, and those that are in. */
  int size() {
    return waiting + in.size();
  }

  /** The short reads and syncs among them. */
  int shorts() {
    int count = shorts.size();
    for (Turn turn : turns) {
      count += turn.stream == null ? turn.in : 0;
    }
    return count;
  }

  /** Whether one is in, or waits. Read without the lock, too. */
  boolean isAny() {
    return waiting + inNow > 0;
  }

  /** Whether one that is in reads. */
  boolean isRead() {
    return in.stream().anyMatch(claim -> !claim.demand.writes);
  }

  /** How long turns are. Read without the lock, too. */
  TurnLength length() {
    return length;
  }

  /** When a turn last began. */
  long begunAt() {
    return begunAt;
  }

  /** The last time at which a read was at the disk. */
  long usedUntil(long now) {
    long until = usedAt;
    for (Claim claim : in) {
      until = Math.max(until, claim.use.until(now));
    }
    return until;
  }

  /**
   * For how long from a time on real-time is not charged: what the disk does for a request that was
   * there first, up to a limit, because the kernel may hold such a request back for as long as
   * real-time goes on.
   */
  long freeNanos(long from, long now) {
    long free = Math.max(0, Math.min(usedUntil(now) - from, MAX_FREE_NANOS - freeNanos));
    freeNanos += free;
    return free;
  }

  /** The nanoseconds until turns may end because their reads do not use the disk. */
  long untilTurnsMayEnd(long now) {
    long idleSince = now + Disk.LOST_NANOS;
    for (Claim claim : in) {
      idleSince = claim.use.isBusy() ? idleSince : Math.min(idleSince, claim.use.until(now));
    }
    for (Turn turn : turns) {
      idleSince = turn.in == 0 ? Math.min(idleSince, turn.emptySince) : idleSince;
    }
    long due = idleSince + GRACE_NANOS;
    return (besideShorts.isKept(now) ? Math.min(due, besideShorts.keptUntil()) : due) - now;
  }

  /** When the first of the reads that are in will be regarded as lost, at the earliest. */
  long lostAt(long now) {
    long lostAt = now + Disk.LOST_NANOS;
    for (Claim claim : in) {
      lostAt = claim.use.isBusy() ? Math.min(lostAt, claim.lostAt()) : lostAt;
    }
    return lostAt;
  }

  /** The disk time that a class has used, in nanoseconds, that of reads which are in included. */
  long usedNanos(DiskClass diskClass, long now) {
    long nanos = counters.usedNanos(diskClass);
    for (Claim claim : in) {
      nanos += claim.diskClass() == diskClass ? claim.use.nanos(now) : 0;
    }
    return nanos;
  }
}
