// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.disktime;

import java.util.concurrent.TimeUnit;
import java.util.function.IntSupplier;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/**
 * How long the turns of a disk are: as long for each of a few tenants as if it were alone, so that
 * it does not pay for what others ask with more ways of the arm ({@link TenantShare} says how many
 * turns it has). Read without the lock by whoever has a turn; an answer that is late by one request
 * does no harm.
 */
final class TurnLength {

  /**
   * Turns get shorter with many streams, so that each has one within about this time of what its
   * tenant has of the disk. 16 streams on stock Hadoop wait as long at times.
   */
  static final long CYCLE_NANOS = TimeUnit.MILLISECONDS.toNanos(800);

  /** The same while real-time reads come, which have a part of this time. */
  static final long REALTIME_CYCLE_NANOS = TimeUnit.MILLISECONDS.toNanos(1800);

  /** With more tenants than that, turns get shorter: their streams come round in so many cycles. */
  static final int MOST_TENANTS = 5;

  /**
   * The shortest turn: half of it may be a seek. While real-time reads come it may be shorter, but
   * not than what stock HDFS reads for a stream at once.
   */
  static final long MIN_TURN_NANOS = DiskCosts.THERE_AND_BACK_NANOS;

  private final Supplier<DiskSettings> settings;
  private final RealtimeSigns signs;
  private final LongSupplier shortsDueAt;
  private final IntSupplier tenants;

  /**
   * The length of turns.
   *
   * @param shortsDueAt when a short read has to begin
   * @param tenants how many ask
   */
  TurnLength(
      Supplier<DiskSettings> settings,
      RealtimeSigns signs,
      LongSupplier shortsDueAt,
      IntSupplier tenants) {
    this.settings = settings;
    this.signs = signs;
    this.shortsDueAt = shortsDueAt;
    this.tenants = tenants;
  }

  /** Whether a real-time read is at the disk, or opens its files. */
  boolean isRealtimeAtDisk() {
    return signs.present;
  }

  /** About what a stream reads in a turn, in bytes; see {@link #nanos(int, long)}. */
  long bytes(int ofTenant, long now) {
    return Math.min(settings.get().turnBytes(), DiskCosts.bytes(nanos(ofTenant, now)));
  }

  /** The length of a turn of a tenant, in nanoseconds of disk time. Read without the lock, too. */
  long nanos(TenantQueue tenant, long now) {
    return nanos(tenant.competing(), now);
  }

  /**
   * The same.
   *
   * @param ofTenant its reads that wait, and its turns
   */
  long nanos(int ofTenant, long now) {
    double cycle = signs.isRecent(now) ? REALTIME_CYCLE_NANOS * (1 - signs.part) : CYCLE_NANOS;
    double crowd = Math.max(1, tenants.getAsInt() / (double) MOST_TENANTS);
    long fair = (long) (cycle / (Math.max(1, ofTenant) * crowd));
    long least = signs.isRecent(now) ? signs.leastTurnNanos : MIN_TURN_NANOS;
    return Math.min(settings.get().turnNanos(), Math.max(fair, least));
  }

  /**
   * The same for a turn that has begun. A short read of a greater weight shortens a stream's turn
   * in proportion, as a client waits for it, and one that has to begin ends it; but a stream has
   * what is owed to it. Read without the lock, too.
   */
  long nanos(Turn turn, long now) {
    long whole =
        Math.max(untilHeld(turn, now), Math.min(turn.owedNanos, settings.get().turnNanos()));
    double best = turn.queue.shorts().greatestWeight();
    boolean due = now >= shortsDueAt.getAsLong();
    if (turn.stream == null || (best <= turn.weight() && !due)) {
      return whole;
    }
    long byWeight = due ? 0 : (long) (whole * turn.weight() / best);
    long least = Math.max(MIN_TURN_NANOS, turn.owedNanos);
    return Math.min(whole, Math.max(byWeight, least));
  }

  /**
   * The whole turn. If reads are held that have to begin within the limit of a turn, it goes on
   * until then: they end it in any case.
   */
  private long untilHeld(Turn turn, long now) {
    long whole = nanos(turn.queue, now);
    long until = signs.heldDueAt - turn.begunAt;
    return until > whole && until <= settings.get().turnNanos() ? until : whole;
  }

  /** Whether a turn has used up what it may, with what a read of it that is in has used. */
  boolean isUsedUp(Turn turn, long moreBytes, long moreNanos, long now) {
    // A turn that was interrupted before it has read any data is worth nothing to its stream.
    return (turn.interrupted && turn.bytes + moreBytes > 0)
        || turn.bytes + moreBytes >= settings.get().turnBytes()
        || turn.usedNanos + moreNanos >= nanos(turn, now);
  }
}
