// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.disktime;

import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.LongUnaryOperator;

/**
 * The reads of other classes that wait for the disk, and who of them has the next turn. Guarded by
 * the lock, but for what is said to be. Times are nanoseconds of one monotonic clock.
 */
final class TurnQueue {

  /**
   * A stream that has waited for this time goes before other streams; one of idle by {@link
   * Shares}.
   */
  static final long OLD_NANOS = TimeUnit.SECONDS.toNanos(10);

  private final ShortReads shorts;
  private final OwedToStreams owed = new OwedToStreams();
  private final Shares shares;
  private final Share bestEffort;
  private final IdleBesideShorts besideShorts;

  /** The length of a turn at a time. */
  private final LongUnaryOperator turnNanos;

  /** Where on the device the last read was that has left, if that is known. */
  private long arm = Claim.UNKNOWN_PLACE;

  /** The number of reads that wait; also read without the lock. */
  private volatile int waiting;

  /**
   * Nobody waits.
   *
   * @param turnNanos the length of a turn at a time
   * @param idleHasTurn whether a stream of idle has the disk, or one of its spindles
   */
  TurnQueue(
      ShortReads shorts, Shares shares, LongUnaryOperator turnNanos, BooleanSupplier idleHasTurn) {
    this.turnNanos = turnNanos;
    this.shorts = shorts;
    this.shares = shares;
    this.bestEffort = shares.bestEffort();
    this.besideShorts = new IdleBesideShorts(shares, idleHasTurn);
  }

  /** A read waits. */
  void add(Claim claim, long now) {
    countWaiting(1);
    Stream stream = claim.stream;
    if (stream == null) {
      besideShorts.asked(now);
      shorts.add(claim);
      return;
    }
    stream.waiting.add(claim);
    if (stream.turn == null && stream.waiting.size() == 1) {
      stream.waitsIn(shares.of(claim), now, turnNanos.applyAsLong(now));
    }
  }

  /** A read waits no more. */
  void withdraw(Claim claim) {
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

  /** The reads that wait. Read without the lock, too. */
  int waiting() {
    return waiting;
  }

  /** The short reads and syncs among them. */
  int shorts() {
    return shorts.size();
  }

  /** Whether one waits that may be part of a turn. */
  boolean hasOf(Turn turn) {
    return turn.stream == null ? !shorts.isEmpty() : turn.stream.waits();
  }

  /** Takes out the next one of those. */
  Claim take(Turn turn, long now) {
    countWaiting(-1);
    return turn.stream == null ? shorts.take(now) : turn.stream.waiting.remove();
  }

  /** The next turn; null if nobody may have one. */
  Turn next(long now) {
    if (!shorts.isEmpty() && mayShortsBegin()) {
      owed.shortsBegin();
      bestEffort.whole.begins(bestEffort);
      return new Turn(null, null, 0, now);
    }
    if (!shares.isAnyWaiting() || besideShorts.isKept(now)) {
      return null;
    }
    Share.Choice choice = new Share.Choice(now, now - OLD_NANOS, turnNanos.applyAsLong(now), arm);
    Stream stream = shares.take(choice);
    Share share = stream.whole;
    Turn turn = new Turn(stream, share, share == bestEffort ? owed.nanos() : 0, now);
    stream.turn = turn;
    return turn;
  }

  private boolean mayShortsBegin() {
    return bestEffort.waits() ? owed.mayShortsBegin() : !besideShorts.isIdleDue();
  }

  /**
   * Whether the turn of short reads goes on without one: whoever syncs one thing after the other
   * asks again in a moment, and the way to a stream and back would cost the disk two seeks.
   */
  boolean isAwaited(Turn turn, long now) {
    return now - turn.emptySince < Turns.GRACE_NANOS
        && turn.syncWeight > bestEffort.greatestWeight();
  }

  /**
   * A read of a turn has left the disk.
   *
   * @param charged what it owes of its time there
   */
  void left(Claim claim, Turn turn, long charged, long now) {
    arm = claim.demand.place;
    if (turn.stream != null) {
      turn.stream.left(claim, charged, now);
      return;
    }
    turn.syncWeight = claim.demand.syncs ? claim.weight : 0;
    if (turn.in == 0 && shorts.isEmpty()) {
      besideShorts.left(now);
    }
  }

  /** A real-time read has left, whose last request was there ({@link Claim#setPlace}). */
  void armAt(long place) {
    arm = place;
  }

  /** A turn has ended. */
  void ended(Turn turn, long now) {
    Stream stream = turn.stream;
    if (stream == null) {
      owed.shortsHad(bestEffort.waits() ? turn.hadNanos(bestEffort.askedAt()) : 0);
      bestEffort.charge(turn.hadNanos(turn.begunAt), bestEffort.portion());
      return;
    }
    if (turn.share == bestEffort) {
      owed.streamHad(turn.hadNanos(turn.begunAt));
    }
    stream.turn = null;
    if (stream.waits()) {
      stream.waitsIn(turn.share, now, turnNanos.applyAsLong(now));
    }
  }

  /** Until when no stream may begin because the disk is kept, or a time given if that is before. */
  long keptUntil(long orUntil, long now) {
    return besideShorts.isKept(now) ? Math.min(orUntil, besideShorts.keptUntil()) : orUntil;
  }
}
