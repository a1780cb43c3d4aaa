// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.disktime;

import java.util.function.BooleanSupplier;

/**
 * Idle's share of the disk beside short reads and syncs, while no stream of best-effort waits: they
 * are of best-effort, and what they use counts as its. A turn of idle is longer than most of them,
 * so if their readers ask again soon, the disk is kept for them meanwhile, as long as idle has had
 * its share. The time for which it is kept from idle counts as theirs, too. Guarded by the lock.
 * Times are nanoseconds of one monotonic clock.
 */
final class IdleBesideShorts {

  private final Share bestEffort;
  private final Share idle;
  private final BooleanSupplier idleHasTurn;
  private final Think think = new Think(DiskCosts.KEPT_BETWEEN_READS_NANOS);
  private boolean thinking;
  private long leftAt;
  private long keptUntil = Long.MIN_VALUE;

  /**
   * No short read has come.
   *
   * @param idleHasTurn whether a stream of idle has the disk, or one of its spindles
   */
  IdleBesideShorts(Shares shares, BooleanSupplier idleHasTurn) {
    this.bestEffort = shares.bestEffort();
    this.idle = shares.idle();
    this.idleHasTurn = idleHasTurn;
  }

  /** A short read has asked. */
  void asked(long now) {
    if (!bestEffort.waits()) {
      bestEffort.whole.comes(bestEffort, 0);
    }
    if (thinking) {
      think.add(now - leftAt);
      long kept = Math.min(now, keptUntil) - leftAt;
      if (kept > 0 && idle.waits() && !bestEffort.waits()) {
        bestEffort.charge(kept, bestEffort.portion());
      }
    }
    thinking = false;
    keptUntil = Long.MIN_VALUE;
  }

  /** The last short read has left. */
  void left(long now) {
    thinking = true;
    leftAt = now;
    keptUntil = Math.max(now + Turns.GRACE_NANOS, think.until(now));
  }

  /** Whether a stream of idle waits, none has a turn, and idle has not had its share. */
  boolean isIdleDue() {
    return idle.waits() && idle.isBehind(bestEffort) && !idleHasTurn.getAsBoolean();
  }

  /** Whether no stream has the disk at present. */
  boolean isKept(long now) {
    return now < keptUntil && !bestEffort.waits() && !isIdleDue();
  }

  /** Until when it is kept for short reads, at the latest. */
  long keptUntil() {
    return keptUntil;
  }
}
