// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.disktime;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;

/**
 * The reads that are in by a turn, and when they use the disk. Guarded by the lock, but for what is
 * said to be. Times are nanoseconds of one monotonic clock.
 */
final class TurnReads {

  /** How long a request of another class may take that was at the disk before real-time. */
  private static final long MAX_FREE_NANOS = TimeUnit.MILLISECONDS.toNanos(20);

  private final Set<Claim> in = new LinkedHashSet<>();

  /** Their number; also read without the lock. */
  private volatile int size;

  /** When one that has left was last at the disk. */
  private long usedAt;

  /** How long real-time has had the disk without a charge since one last came or went. */
  private long freeNanos;

  /** None, nor was there one lately. */
  TurnReads(long now) {
    this.usedAt = now - RealtimeReads.CONTENDED_NANOS - 1;
  }

  void add(Claim claim) {
    in.add(claim);
    changed();
  }

  void remove(Claim claim, long usedUntil) {
    in.remove(claim);
    changed();
    usedAt = Math.max(usedAt, usedUntil);
  }

  /** A turn has had the disk until now, for its reads that are in as well. */
  void settle(Turn turn, long now) {
    for (Claim claim : in) {
      turn.usedNanos += claim.turn == turn ? claim.use.nanos(now) : 0;
    }
    turn.emptySince = now;
  }

  /** Those of one turn belong to another one from now on. */
  void move(Turn from, Turn to) {
    for (Claim claim : in) {
      if (claim.turn == from) {
        claim.turn = to;
        to.in++;
      }
    }
    to.owner = from.owner;
  }

  private void changed() {
    size = in.size();
    freeNanos = 0;
  }

  /** Their number. Read without the lock, too. */
  int size() {
    return size;
  }

  /** Whether one of them reads. */
  boolean isRead() {
    return in.stream().anyMatch(claim -> !claim.demand.writes);
  }

  /** Those that have not used the disk for so long that others may. */
  List<Claim> away(long now) {
    List<Claim> away = new ArrayList<>();
    for (Claim claim : in) {
      if (now - claim.use.until(now) >= Turns.GRACE_NANOS) {
        away.add(claim);
      }
    }
    return away;
  }

  /** One that was not seen for too long. */
  Optional<Claim> lost(long now) {
    return in.stream().filter(each -> each.use.isBusy() && now >= each.lostAt()).findFirst();
  }

  /** When the first of them will be regarded as lost, at the earliest. */
  long lostAt(long now) {
    long lostAt = now + Disk.LOST_NANOS;
    for (Claim claim : in) {
      lostAt = claim.use.isBusy() ? Math.min(lostAt, claim.lostAt()) : lostAt;
    }
    return lostAt;
  }

  /** Since when the first of them does not use the disk, or a time given if that is before. */
  long awaySince(long orSince, long now) {
    long since = orSince;
    for (Claim claim : in) {
      since = claim.use.isBusy() ? since : Math.min(since, claim.use.until(now));
    }
    return since;
  }

  /** The last time at which one was at the disk. */
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

  /** The disk time that those of a class have used so far, in nanoseconds. */
  long usedNanos(DiskClass diskClass, long now) {
    long nanos = 0;
    for (Claim claim : in) {
      nanos += claim.diskClass() == diskClass ? claim.use.nanos(now) : 0;
    }
    return nanos;
  }
}
