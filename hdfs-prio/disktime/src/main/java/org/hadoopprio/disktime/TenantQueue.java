// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.disktime;

import java.util.function.Predicate;
import java.util.function.Supplier;

/**
 * The reads of one tenant that wait for the disk, and who of them has its next turn. Guarded by the
 * lock. Times are nanoseconds of one monotonic clock.
 */
final class TenantQueue {

  private final ShortReads shorts;
  private final OwedToStreams owed = new OwedToStreams();
  private final Shares shares;
  private final Share bestEffort;
  private final IdleBesideShorts besideShorts;

  /** Written with the lock, as the next one. */
  private volatile int waiting;

  private volatile int turns;

  /**
   * Nobody waits.
   *
   * @param disk that is shared out
   * @param shorts none yet
   * @param hasTurn whether a stream of a class has the disk, or one of its spindles
   */
  TenantQueue(
      Share disk,
      Tenant tenant,
      ShortReads shorts,
      Supplier<DiskSettings> settings,
      Predicate<Share> hasTurn) {
    this.shorts = shorts;
    this.shares = new Shares(new TenantShare(disk, tenant, this::asks), settings);
    this.bestEffort = shares.bestEffort();
    this.besideShorts = new IdleBesideShorts(shares, () -> hasTurn.test(shares.idle()));
  }

  Tenant tenant() {
    return share().tenant();
  }

  /** What the tenant has of the disk. */
  TenantShare share() {
    return shares.tenant();
  }

  /** Whether that is the class idle. */
  boolean isIdle(Share share) {
    return share == shares.idle();
  }

  /** Its reads that wait. */
  int waiting() {
    return waiting;
  }

  /** More of them wait, or fewer if negative. */
  void countWaiting(int change) {
    int before = waiting;
    waiting = before + change;
  }

  /** Its reads that wait, and its turns: those among whom it shares its time. Thread-safe. */
  int competing() {
    return waiting + turns;
  }

  /** Whether something waits that may have a turn, as far as its limit goes. */
  boolean isAble(long now) {
    return waiting > 0 && share().allowedAt() <= now;
  }

  /** It has more turns, or fewer if negative. */
  void countTurns(int change) {
    int before = turns;
    turns = before + change;
  }

  /** Its short reads and syncs that wait. */
  ShortReads shorts() {
    return shorts;
  }

  /** Whether something waits. */
  boolean asks() {
    return !shorts.isEmpty() || shares.isAnyWaiting();
  }

  /**
   * A read waits.
   *
   * @param turnNanos the length of a turn
   */
  void add(Claim claim, long turnNanos, long now) {
    share().asks(turnNanos, now);
    Stream stream = claim.stream;
    if (stream == null) {
      besideShorts.asked(now);
      shorts.add(claim);
      return;
    }
    stream.queue = this;
    stream.waiting.add(claim);
    if (stream.turn == null && stream.waiting.size() == 1) {
      stream.waitsIn(shares.of(claim), now, turnNanos);
    }
  }

  /** A read waits no more. */
  void withdraw(Claim claim) {
    if (claim.stream == null) {
      shorts.remove(claim);
    } else {
      claim.stream.withdraw(claim);
    }
  }

  /** Whether one waits that may be part of a turn. */
  boolean hasOf(Turn turn) {
    return turn.stream == null ? !shorts.isEmpty() : turn.stream.waits();
  }

  /** Takes out the next one of those. */
  Claim take(Turn turn, long now) {
    return turn.stream == null ? shorts.take(now) : turn.stream.waiting.remove();
  }

  /** The next turn; null if nobody of those that wait may have one. */
  Turn next(Share.Choice choice) {
    if (!shorts.isEmpty() && mayShortsBegin()) {
      owed.shortsBegin();
      bestEffort.whole.begins(bestEffort);
      return new Turn(this, null, null, 0, choice.now);
    }
    if (!shares.isAnyWaiting() || besideShorts.isKept(choice.now)) {
      return null;
    }
    Stream stream = shares.take(choice);
    Share share = stream.whole;
    Turn turn = new Turn(this, stream, share, share == bestEffort ? owed.nanos() : 0, choice.now);
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
    if (turn.stream != null) {
      turn.stream.left(claim, charged, now);
      return;
    }
    turn.syncWeight = claim.demand.syncs ? claim.weight : 0;
    if (turn.in == 0 && shorts.isEmpty()) {
      besideShorts.left(now);
    }
  }

  /**
   * A turn has ended.
   *
   * @param ofDisk what it had of the disk's time
   * @param turnNanos the length of the next one
   */
  void ended(Turn turn, long ofDisk, long turnNanos, long now) {
    Stream stream = turn.stream;
    long had = turn.hadNanos(turn.begunAt);
    share().used(ofDisk, Math.min(now, turn.emptySince));
    if (stream == null) {
      owed.shortsHad(bestEffort.waits() ? turn.hadNanos(bestEffort.askedAt()) : 0);
      bestEffort.charge(had, bestEffort.portion());
      return;
    }
    if (turn.share == bestEffort) {
      owed.streamHad(had);
    }
    stream.turn = null;
    if (stream.waits()) {
      share().asks(turnNanos, now);
      stream.waitsIn(turn.share, now, turnNanos);
    }
  }

  /** When a turn of it may begin; now, if it may already. Something waits. */
  long nextAt(long now) {
    long allowedAt = share().allowedAt();
    if (allowedAt > now) {
      return allowedAt;
    }
    return besideShorts.isKept(now) ? besideShorts.keptUntil() : now;
  }
}
