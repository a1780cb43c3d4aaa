// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.disktime;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
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
 *       time at most ({@link ShortReads}, {@link ShortDepth}, {@link OwedToStreams}). After a sync
 *       of a greater weight than any stream's, the next one is awaited for a moment.
 *   <li>A read that does not use the disk for {@link #GRACE_NANOS} loses its turn to others.
 * </ul>
 *
 * <p>Not thread-safe, but for what is said to be: guarded by the lock. Times are nanoseconds of one
 * monotonic clock.
 */
final class Turns {

  /** How long a turn outlasts the last use of the disk. */
  static final long GRACE_NANOS = TimeUnit.MILLISECONDS.toNanos(1);

  /** A sync holds others back for this time: how much it has to write is not known before. */
  static final long MAX_SYNC_NANOS = TimeUnit.SECONDS.toNanos(1);

  private final int streams;
  private final Supplier<DiskSettings> settings;
  private final Consumer<Claim> granted;
  private final DiskCounters counters;
  private final ServiceMeter meter;
  private final Blame blame;
  private final TurnLength length;
  private final ShortDepth depth;
  private final TurnQueue queue;
  private final TurnReads in;
  private final List<Turn> turns = new ArrayList<>();

  /** The number of turns now; also read without the lock. */
  private volatile int turnsNow;

  private long begunAt;

  /**
   * No turn.
   *
   * @param streams how many may have a turn together, at least 1
   * @param granted called for each read that may go now
   * @param held knows what a read with a deadline needs
   * @param meter learns from the turns how fast the disk reads
   * @param blame learns who has the disk
   */
  Turns(
      int streams,
      Supplier<DiskSettings> settings,
      long now,
      DiskCounters counters,
      Consumer<Claim> granted,
      RealtimeSigns signs,
      HeldReads held,
      ServiceMeter meter,
      Blame blame) {
    this.streams = streams;
    this.settings = settings;
    this.counters = counters;
    this.granted = granted;
    this.meter = meter;
    this.blame = blame;
    this.depth = new ShortDepth(signs);
    this.length = new TurnLength(settings, signs, this::shortsDueAt, this::tenants);
    this.queue =
        new TurnQueue(
            held, settings, length, share -> turns.stream().anyMatch(turn -> turn.share == share));
    this.in = new TurnReads(now);
    this.begunAt = now;
  }

  // ---- what comes and goes -------------------------------------------------------------------

  /**
   * Whether a read that is in may make its next request as far as its turn goes. Read without the
   * lock.
   */
  boolean mayContinue(Claim claim, long now) {
    Turn turn = claim.turn;
    if (turn == null) {
      return waiting() == 0;
    }
    return (waiting() == 0 && !turn.queue.share().isLimited())
        || !length.isUsedUp(turn, claim.use.bytes(), claim.use.nanos(now), now);
  }

  /** A read asks for the disk for its next request, and waits. */
  void ask(Claim claim, long now) {
    leave(claim, now);
    claim.askedAt = now;
    claim.waits();
    depth.asked(claim);
    queue.add(claim, now);
  }

  /** A read that waits stops waiting; it is not granted anything. */
  void withdraw(Claim claim, long now) {
    claim.leave();
    queue.withdraw(claim, now);
  }

  private void enter(Claim claim, Turn turn, long now) {
    claim.turn = turn;
    turn.owner = claim.owner();
    claim.enter(now);
    turn.in++;
    in.add(claim);
    granted.accept(claim);
  }

  /** A read needs the disk no more, or is regarded as lost. Does nothing if it is not in. */
  void leave(Claim claim, long now) {
    if (!claim.isIn()) {
      return;
    }
    claim.leave();
    long nanos = claim.use.nanos(now);
    long until = claim.use.until(now);
    in.remove(claim, until);
    counters.used(claim.diskClass(), nanos);
    counters.moved(claim.diskClass(), claim.use.bytes());
    Turn turn = claim.turn;
    claim.turn = null;
    turn.left(claim, nanos, until);
    // A stream owes nothing for the time in which it had the disk to itself. A sync writes what
    // came before others did, and owes all of it.
    long charged = claim.demand.syncs ? nanos : Math.min(nanos, settings.get().turnNanos());
    queue.left(claim, turn, charged, now);
  }

  /** A real-time read has left, whose last request was there ({@link Claim#setPlace}). */
  void armAt(long place) {
    queue.armAt(place);
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
    turns.replaceAll(turn -> renewed(turn, now));
    for (Turn turn : turns) {
      enterAll(turn, now);
    }
  }

  /**
   * The next turn, with the reads that are in, if that of short reads is over and only more of them
   * wait: until they left the disk would run empty. It does where {@link ShortDepth} has few
   * together, or a drive would leave a read aside for long.
   */
  private Turn renewed(Turn turn, long now) {
    if (turn.stream != null
        || turn.in == 0
        || now - turn.begunAt < shortsNanos(turn, now)
        || !queue.onlyShortsOf(turn.queue, now)
        || depth.isInOrder(turn.queue.shorts(), now)) {
      return turn;
    }
    in.settle(turn, now);
    ends(turn, now);
    Turn next = queue.next(now);
    begins(next, now);
    in.move(turn, next);
    return next;
  }

  /** Whether another turn may begin. */
  boolean isOneFree() {
    return turns.size() < streams;
  }

  /** Lets turns begin. */
  void begin(long now) {
    while (turns.size() < streams) {
      Turn turn = queue.next(now);
      if (turn == null) {
        return;
      }
      begins(turn, now);
      turns.add(turn);
      turnsNow = turns.size();
      enterAll(turn, now);
    }
  }

  private void begins(Turn turn, long now) {
    begunAt = now;
    counters.turnBegun();
    turn.besideRealtime = length.isRealtimeAtDisk();
  }

  private void endTurns(long now) {
    for (Claim claim : in.away(now)) {
      leave(claim, now);
    }
    for (Iterator<Turn> each = turns.iterator(); each.hasNext(); ) {
      Turn turn = each.next();
      if (turn.in == 0 && isOver(turn, now)) {
        each.remove();
        turnsNow = turns.size();
        if (turn.isMeasured()) {
          meter.turn(turn.usedNanos, turn.bytes);
        }
        chargeDue(turn, now);
        ends(turn, now);
      }
    }
  }

  private void ends(Turn turn, long now) {
    long ofDisk = turn.hadNanos(turn.begunAt) / streams;
    counters.of(turn.queue.tenant()).used(turn.diskClass(), ofDisk);
    queue.ended(turn, ofDisk, now);
  }

  /** Who has a stream's turn end early costs it a way. */
  private void chargeDue(Turn turn, long now) {
    if (turn.stream != null && turn.queue.hasOf(turn) && !turn.interrupted) {
      double left = 1 - turn.usedNanos / (double) length.nanos(turn.queue, now);
      queue.chargeDue(turn.queue, DiskCosts.interruptionNanos(left), now);
    }
  }

  /** Whether a turn of which no read is in is over. */
  private boolean isOver(Turn turn, long now) {
    if (turn.stream == null) {
      return now - turn.begunAt >= shortsNanos(turn, now)
          || (!turn.queue.hasOf(turn) && !turn.queue.isAwaited(turn, now));
    }
    return turn.queue.hasOf(turn)
        ? length.isUsedUp(turn, 0, 0, now)
        : now - turn.emptySince >= GRACE_NANOS;
  }

  private void enterAll(Turn turn, long now) {
    while (mayEnter(turn, now) && turn.queue.hasOf(turn)) {
      enter(queue.take(turn, now), turn, now);
    }
  }

  /** Several reads may belong to one stream, and ask again one after the other. */
  private boolean mayEnter(Turn turn, long now) {
    return turn.in == 0
        || (turn.stream != null
            ? !length.isUsedUp(turn, 0, 0, now)
            : turn.in < depth.of(turn.queue.shorts(), now)
                && now - turn.begunAt < shortsNanos(turn, now));
  }

  /** The length of a turn of short reads. */
  private long shortsNanos(Turn turn, long now) {
    long whole = length.nanos(turn.queue, now);
    return queue.isOtherDue(turn.queue, now) ? Math.min(TurnLength.MIN_TURN_NANOS, whole) : whole;
  }

  /** Drops one read that was not seen for too long. */
  void dropLost(long now) {
    Optional<Claim> lost = in.lost(now);
    if (lost.isPresent()) {
      if (!lost.get().demand.syncs) {
        counters.lost();
      }
      leave(lost.get(), now);
    }
  }

  // ---- what others ask -----------------------------------------------------------------------

  /** The reads that wait. Read without the lock, too. */
  int waiting() {
    return queue.waiting();
  }

  /** Those of them that may have a turn as far as the limits of their tenants go. Thread-safe. */
  int ableToGo() {
    return queue.ableToGo();
  }

  private int tenants() {
    return queue.tenantsAbleToGo();
  }

  private long shortsDueAt() {
    return queue.shortsDueAt();
  }

  /** Whether one waits, and could have had a turn since then. */
  boolean hasBeenAbleSince(long at) {
    return queue.hasBeenAbleSince(at);
  }

  /** The short reads and syncs that wait or are in. */
  int shorts() {
    int count = queue.shorts();
    for (Turn turn : turns) {
      count += turn.stream == null ? turn.in : 0;
    }
    return count;
  }

  /** The reads that wait or are in. Read without the lock, too. */
  int size() {
    return waiting() + in.size();
  }

  /** Those that are in. */
  TurnReads in() {
    return in;
  }

  /** The longest that the next turn may be, in nanoseconds. */
  long longestNanos(long now) {
    return length.nanos(queue.fewestCompeting(now), now);
  }

  /** About what a stream reads in a turn, in bytes. Thread-safe. */
  long turnBytes(Claim claim, long now) {
    TenantQueue its = claim.stream == null ? null : claim.stream.queue;
    return length.bytes(its == null ? queue.ableToGo() + turnsNow : its.competing(), now);
  }

  /** See {@link Disk#leftToWriteNanos}. Thread-safe. */
  long leftToWriteNanos(Claim claim, long now) {
    Turn turn = claim.turn;
    if (turn == null || queue.ableToGo() == 0) {
      return 0;
    }
    long used = claim.use.nanos(now);
    long left = length.nanos(turn, now) - turn.usedNanos - used;
    return Math.max(0, Math.min(left, meter.writeNanos(claim.use.bytes()) - used));
  }

  /** When a turn last began. */
  long begunAt() {
    return begunAt;
  }

  /** The nanoseconds until turns may end because their reads do not use the disk. */
  long untilTurnsMayEnd(long now) {
    long awaySince = in.awaySince(now + Disk.LOST_NANOS, now);
    for (Turn turn : turns) {
      awaySince = turn.in == 0 ? Math.min(awaySince, turn.emptySince) : awaySince;
    }
    long endsAt = awaySince + GRACE_NANOS;
    return (isOneFree() ? queue.nextAt(endsAt, now) : endsAt) - now;
  }

  /** Real-time reads have used the disk. */
  void used(Owner owner, long nanos, long now) {
    queue.used(owner.tenant(), nanos, now);
    counters.of(owner.tenant()).used(DiskClass.REALTIME, nanos);
    blame.had(owner, nanos);
  }

  /** Turns have had the disk for some time. */
  void had(long nanos) {
    for (Turn turn : turns) {
      blame.had(turn.owner, nanos / turns.size());
    }
  }

  /** When a tenant may use the disk again, as far as its limit goes. */
  long allowedAt(Tenant tenant) {
    return queue.allowedAt(tenant);
  }

  /** The disk time that a class has used, in nanoseconds, that of reads which are in included. */
  long usedNanos(DiskClass diskClass, long now) {
    return counters.usedNanos(diskClass) + in.usedNanos(diskClass, now);
  }
}
