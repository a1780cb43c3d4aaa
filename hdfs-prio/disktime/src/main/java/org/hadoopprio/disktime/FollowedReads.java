// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.disktime;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Iterator;
import java.util.concurrent.TimeUnit;

/**
 * The reads that have ended and that others are said to follow. Each can be followed by one read,
 * of which fewer follow, until the target of the first. So a client that tells the truth, with one
 * read after the other, has what it needs, and one that does not has no more than that.
 *
 * <p>Not thread-safe: guarded by the lock.
 */
final class FollowedReads {

  /** So many are remembered; of more, the oldest is forgotten, and whatever follows it is held. */
  static final int MOST = RealtimeReads.REALTIME_DEPTH;

  /**
   * By how much the times may differ at which a read and the first one have to be answered: their
   * ways to here take different times, and milliseconds are rounded.
   */
  private static final long SAME_TARGET_NANOS = TimeUnit.MILLISECONDS.toNanos(3);

  /** One read that has ended. */
  private static final class Ended {
    private final int following;
    private final long until;
    private final long at;

    private Ended(int following, long until, long at) {
      this.following = following;
      this.until = until;
      this.at = at;
    }
  }

  private final Deque<Ended> ended = new ArrayDeque<>();

  /** A read begins that follows no other. */
  void first(Claim claim) {
    claim.held.followedUntil = claim.demand.following > 0 ? claim.demand.deadline : Long.MIN_VALUE;
  }

  /**
   * Finds out whether a read that comes follows one that has ended; then no other can follow that
   * one.
   *
   * @return the time between the two; meaningless if it does not follow
   */
  long follow(Claim claim) {
    Ended before = before(claim);
    claim.held.follows = before != null;
    if (before == null) {
      return 0;
    }
    ended.remove(before);
    claim.held.followedUntil = claim.demand.following > 0 ? before.until : Long.MIN_VALUE;
    return claim.askedAt - before.at;
  }

  /** Whether a read would follow one that has ended. */
  boolean hasBefore(Claim claim) {
    return before(claim) != null;
  }

  /**
   * The one with the fewest reads to follow: others may come for those with more. A read that none
   * follows may be another client's only one; then it has another target.
   */
  private Ended before(Claim claim) {
    Ended best = null;
    for (Ended each : ended) {
      boolean fits =
          claim.demand.following < each.following
              && claim.askedAt < each.until
              && (claim.demand.following > 0
                  || Math.abs(claim.demand.deadline - each.until) <= SAME_TARGET_NANOS);
      if (fits && (best == null || each.following < best.following)) {
        best = each;
      }
    }
    return best;
  }

  /** A read has ended. */
  void ended(Claim claim, long now) {
    long until = claim.held.followedUntil;
    claim.held.followedUntil = Long.MIN_VALUE;
    for (Iterator<Ended> each = ended.iterator(); each.hasNext(); ) {
      if (each.next().until <= now) {
        each.remove();
      }
    }
    if (until > now) {
      if (ended.size() == MOST) {
        ended.remove();
      }
      ended.add(new Ended(claim.demand.following, until, now));
    }
  }

  /** When the last one of them ended; long ago if there is none. */
  long lastEnd() {
    return ended.isEmpty() ? Long.MIN_VALUE / 2 : ended.peekLast().at;
  }
}
