// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.disktime;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;

/**
 * The real-time reads of a disk that need not begin yet, because their latency targets leave time.
 * They begin together, when the first of them has to: then they cost the streams one interruption,
 * and the drive serves them in the order of their places.
 *
 * <p>When that is follows from what such reads have needed so far: the time from the begin of all
 * to the end of the last, for each of them on average, and its mean deviation (as RFC 6298 does it
 * for round-trip times). A read that others are expected to follow has to end earlier by what they
 * need, and by what their reader takes between them. They are not held if they come soon: the disk
 * is kept for them as for any real-time reader.
 *
 * <p>How many follow is what the client says, who may be wrong or lie. So no more count than fit
 * into the read's own target, which reads follow another is not what they say alone ({@link
 * FollowedReads}), and whoever begins early because of others pays for it ({@link EarlyBegins}).
 *
 * <p>Not thread-safe: guarded by the lock.
 */
final class HeldReads {

  /**
   * The longest hold, whatever the target: a third of the timeouts of HDFS clients has to remain.
   */
  static final long MAX_HOLD_NANOS = TimeUnit.SECONDS.toNanos(10);

  /** More than this for one read shows that the disk hangs, not how long a read takes. */
  private static final double MAX_SAMPLE_NANOS = 8.0 * DiskCosts.LONE_READ_NANOS;

  /** What the reader of several reads takes between them as long as nothing has been seen. */
  private static final long FIRST_GAP_NANOS = TimeUnit.MILLISECONDS.toNanos(2);

  /** A longer gap counts as this one: then the disk is not kept, however much longer it is. */
  private static final long MAX_GAP_NANOS = TimeUnit.MILLISECONDS.toNanos(32);

  /** So many deviations above the average, few are late (RFC 6298, K). */
  private static final int DEVIATIONS = 4;

  /** Reads that have begun together. */
  static final class Group {
    private final long begunAt;
    private final int count;
    private int left;

    /** Those of them that have left and were at the disk. */
    private int used;

    private long endedAt;

    private Group(long begunAt, int count) {
      this.begunAt = begunAt;
      this.count = count;
    }
  }

  private final Set<Claim> held = new LinkedHashSet<>();
  private double meanNanos = DiskCosts.LONE_READ_NANOS;
  private double deviationNanos = DiskCosts.LONE_READ_NANOS / 4.0;

  /** From the end of a read to the next that follows it. */
  private double gapNanos = FIRST_GAP_NANOS;

  /** When they have to begin; meaningless if none is held. */
  private long dueAt;

  private final EarlyBegins early = new EarlyBegins();
  private final FollowedReads followed = new FollowedReads();

  /** Whether the disk, if it is kept, is kept for whatever read comes. */
  private boolean isAnyAwaited;

  boolean isEmpty() {
    return held.isEmpty();
  }

  int size() {
    return held.size();
  }

  boolean contains(Claim claim) {
    return held.contains(claim);
  }

  void add(Claim claim) {
    comes(claim);
    claim.held.leadNanos = leadNanos(claim);
    held.add(claim);
    findDue();
  }

  private void comes(Claim claim) {
    long gap = followed.follow(claim);
    if (claim.held.follows) {
      gapNanos += (Math.min(gap, MAX_GAP_NANOS) - gapNanos) / 8;
    }
  }

  /** The disk is kept for whatever real-time read comes next. */
  void awaitAny() {
    isAnyAwaited = true;
  }

  /**
   * The disk is kept for the next of several reads, of which one has left; maybe not the last one
   * that was there. Its client has said that it comes back, so one that takes longer than most is
   * waited for, too.
   *
   * @return until when; it is not if their reader takes too long between them
   */
  long awaitNext() {
    isAnyAwaited = false;
    boolean soon = gapNanos <= DiskCosts.KEPT_IN_A_CHAIN_NANOS;
    long kept = 2 * Math.max((long) gapNanos, DiskCosts.KEPT_BETWEEN_READS_NANOS);
    return soon ? followed.lastEnd() + kept : Long.MIN_VALUE;
  }

  /** Whether the disk, if it is kept, is kept for that read. */
  boolean isAwaited(Claim claim) {
    return isAnyAwaited || followed.hasBefore(claim);
  }

  /** Returns false if the read is not held. */
  boolean remove(Claim claim) {
    boolean was = held.remove(claim);
    findDue();
    return was;
  }

  private void findDue() {
    long needed = neededNanos(held.size());
    dueAt = Long.MAX_VALUE;
    for (Claim claim : held) {
      long alone = aloneAt(claim, needed);
      long wanted = Math.max(alone - claim.held.leadNanos, early.allowedAt(claim));
      dueAt = Math.min(dueAt, Math.min(alone, wanted));
    }
  }

  /** When a read has to begin if none follows it. */
  private static long aloneAt(Claim claim, long needed) {
    return claim.askedAt + claim.heldNanos() - needed;
  }

  /** When a read has to end so that those which follow it meet the deadline, too. */
  long lastEnd(Claim claim) {
    return claim.demand.deadline - leadNanos(claim);
  }

  /** What those need that follow a read, as far as its target has time for them. */
  private long leadNanos(Claim claim) {
    double time = Math.max(0, claim.demand.deadline - claim.askedAt - neededNanos(1));
    if (claim.held.follows) {
      return (long) Math.min(neededToFollow(claim.demand.following), time);
    }
    // The greatest count of which neededToFollow is at most the time: a quadratic equation of the
    // root that is there.
    double each = meanNanos + gapNanos;
    double half = DEVIATIONS * deviationNanos / (2 * each);
    double root = Math.sqrt(half * half + 2 * half + 1 + time / each) - half;
    return (long) neededToFollow(Math.min(claim.demand.following, (int) (root * root - 1)));
  }

  private double neededToFollow(int count) {
    // The deviation of a sum grows with the root of their number.
    double deviation = DEVIATIONS * deviationNanos * (Math.sqrt(count + 1.0) - 1);
    return count * (meanNanos + gapNanos) + deviation;
  }

  /** When the reads that are held have to begin. */
  long dueAt() {
    return dueAt;
  }

  /** What so many reads need that begin together. */
  long neededNanos(int count) {
    return (long) (count * meanNanos + DEVIATIONS * deviationNanos);
  }

  /**
   * All reads that are held; they begin now, and none is held any more.
   *
   * @param contended whether that interrupts others
   */
  List<Claim> begin(boolean contended, long now) {
    List<Claim> all = new ArrayList<>(held);
    held.clear();
    Group group = new Group(now, all.size());
    long needed = neededNanos(all.size());
    boolean noneHasTo = contended;
    for (Claim claim : all) {
      noneHasTo &= now < aloneAt(claim, needed);
      claim.held.group = group;
      if (!claim.held.follows) {
        followed.first(claim);
      }
    }
    if (noneHasTo) {
      early.begun(all, now);
    }
    return all;
  }

  /** A read that would be held begins now, by itself: the disk is kept for it. */
  void beginAlone(Claim claim, long now) {
    beginUncontended(claim);
    claim.held.group = new Group(now, 1);
  }

  /** A read begins that was not held: nobody else wants the disk. */
  void beginUncontended(Claim claim) {
    comes(claim);
    if (!claim.held.follows) {
      followed.first(claim);
    }
  }

  /** A real-time read has left the disk. What its client has made it wait for does not count. */
  void left(Claim claim, long now) {
    followed.ended(claim, now);
    Group group = claim.held.group;
    claim.held.group = null;
    if (group == null) {
      return;
    }
    if (claim.realtime.usedDisk) {
      // The data of the others was in the page cache, which tells nothing of the disk.
      group.used++;
      group.endedAt = Math.max(group.endedAt, claim.use.enteredAt() + claim.use.nanos(now));
    }
    if (++group.left == group.count && group.used > 0) {
      double nanos = (double) (group.endedAt - group.begunAt) / group.used;
      double sample = Math.min(nanos, MAX_SAMPLE_NANOS);
      double error = sample - meanNanos;
      meanNanos += error / 8;
      deviationNanos += (Math.abs(error) - deviationNanos) / 4;
    }
  }
}
