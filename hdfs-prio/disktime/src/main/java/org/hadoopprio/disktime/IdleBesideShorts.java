// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.disktime;

import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/**
 * Idle's share of the disk beside short reads and syncs, while no stream of best-effort waits: they
 * are of best-effort, and what they use counts as its. A turn of idle is longer than most of them,
 * so if their readers ask again soon, the disk is kept for them meanwhile, as long as idle has had
 * its share. The time for which it is kept from idle counts as theirs, too. Guarded by the lock.
 * Times are nanoseconds of one monotonic clock.
 */
final class IdleBesideShorts {

  private final StreamGroup bestEffort;
  private final StreamGroup idle;
  private final BooleanSupplier idleHasTurn;
  private final Supplier<DiskSettings> settings;
  private final Think think = new Think(DiskCosts.KEPT_BETWEEN_READS_NANOS);
  private boolean thinking;
  private long leftAt;
  private long keptUntil = Long.MIN_VALUE;

  /**
   * No short read has come.
   *
   * @param idleHasTurn whether a stream of idle has the disk, or one of its spindles
   */
  IdleBesideShorts(
      StreamGroup bestEffort,
      StreamGroup idle,
      BooleanSupplier idleHasTurn,
      Supplier<DiskSettings> settings) {
    this.bestEffort = bestEffort;
    this.idle = idle;
    this.idleHasTurn = idleHasTurn;
    this.settings = settings;
  }

  /**
   * A short read has asked.
   *
   * @param groupsNow the virtual time of the group that had the last turn: best-effort has no
   *     credit for the time in which it wanted nothing
   */
  void asked(double groupsNow, long now) {
    if (bestEffort.isEmpty()) {
      bestEffort.virtualTime = Math.max(bestEffort.virtualTime, groupsNow);
    }
    if (thinking) {
      think.add(now - leftAt);
      long kept = Math.min(now, keptUntil) - leftAt;
      if (kept > 0 && !idle.isEmpty() && bestEffort.isEmpty()) {
        bestEffort.virtualTime += kept / (1 - settings.get().idleShare());
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
    return !idle.isEmpty()
        && idle.virtualTime < bestEffort.virtualTime
        && !idleHasTurn.getAsBoolean();
  }

  /** Whether no stream has the disk at present. */
  boolean isKept(long now) {
    return now < keptUntil && bestEffort.isEmpty() && !isIdleDue();
  }

  /** Until when it is kept for short reads, at the latest. */
  long keptUntil() {
    return keptUntil;
  }
}
