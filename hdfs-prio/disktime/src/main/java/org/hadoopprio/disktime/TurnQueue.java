// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.disktime;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.LongUnaryOperator;
import java.util.function.Predicate;
import java.util.function.Supplier;

/**
 * The reads of other classes that wait for the disk, and whose turn is next: a tenant's, and of
 * that tenant the one that its {@link TenantQueue} tells. Guarded by the lock, but for what is said
 * to be. Times are nanoseconds of one monotonic clock.
 */
final class TurnQueue {

  /**
   * A stream that has waited for this time goes before other streams of its tenant; one of idle by
   * {@link Shares}.
   */
  static final long OLD_NANOS = TimeUnit.SECONDS.toNanos(10);

  private final HeldReads held;
  private final Supplier<DiskSettings> settings;
  private final ShortSigns signs;
  private final Predicate<Share> hasTurn;

  /** The length of a turn at a time. */
  private final LongUnaryOperator turnNanos;

  private final Share disk = new Share(null, () -> 1);
  private final Map<Tenant, TenantQueue> tenants = new LinkedHashMap<>();

  /** Where on the device the last read was that has left, if that is known. */
  private long arm = Claim.UNKNOWN_PLACE;

  /** The number of reads that wait; also read without the lock. */
  private volatile int waiting;

  /**
   * Nobody waits.
   *
   * @param held knows what a read with a deadline needs
   * @param signs of the short reads, for turns
   * @param turnNanos the length of a turn at a time
   * @param hasTurn whether a stream of a class has the disk, or one of its spindles
   */
  TurnQueue(
      HeldReads held,
      Supplier<DiskSettings> settings,
      ShortSigns signs,
      LongUnaryOperator turnNanos,
      Predicate<Share> hasTurn) {
    this.held = held;
    this.settings = settings;
    this.signs = signs;
    this.turnNanos = turnNanos;
    this.hasTurn = hasTurn;
  }

  /** A stream that several tenants read counts for the one that has asked first. */
  private TenantQueue queue(Claim claim) {
    boolean joins = claim.stream != null && (claim.stream.turn != null || claim.stream.waits());
    return joins ? claim.stream.queue : queue(claim.tenant());
  }

  private TenantQueue queue(Tenant tenant) {
    return tenants.computeIfAbsent(
        tenant, each -> new TenantQueue(disk, each, new ShortReads(held), settings, hasTurn));
  }

  /** A read waits. */
  void add(Claim claim, long now) {
    countWaiting(1);
    queue(claim).add(claim, turnNanos.applyAsLong(now), now);
    changed(claim);
  }

  /** A read waits no more. */
  void withdraw(Claim claim) {
    countWaiting(-1);
    queue(claim).withdraw(claim);
    changed(claim);
  }

  /** Takes out the next read of a turn; there must be one. */
  Claim take(Turn turn, long now) {
    countWaiting(-1);
    Claim taken = turn.queue.take(turn, now);
    changed(taken);
    return taken;
  }

  private void countWaiting(int change) {
    int before = waiting;
    waiting = before + change;
  }

  private void changed(Claim claim) {
    if (claim.stream != null) {
      return;
    }
    double greatest = 0;
    long due = Long.MAX_VALUE;
    for (TenantQueue each : tenants.values()) {
      greatest = Math.max(greatest, each.shorts().greatestWeight());
      due = Math.min(due, each.shorts().dueAt());
    }
    signs.greatestWeight = greatest;
    signs.dueAt = due;
  }

  /** The reads that wait. Read without the lock, too. */
  int waiting() {
    return waiting;
  }

  /** The short reads and syncs among them. */
  int shorts() {
    int count = 0;
    for (TenantQueue each : tenants.values()) {
      count += each.shorts().size();
    }
    return count;
  }

  /** Real-time reads of a tenant have used the disk. */
  void used(Tenant tenant, long nanos, long now) {
    TenantShare share = queue(tenant).share();
    disk.begins(leastAhead(share));
    share.charge(nanos, share.portion());
    share.used(nanos, now);
  }

  /** The one that has used least for its weight, of a tenant and those that wait. */
  private TenantShare leastAhead(TenantShare using) {
    TenantShare least = using;
    for (TenantQueue each : tenants.values()) {
      least = each.asks() && each.share().isBehind(least) ? each.share() : least;
    }
    return least;
  }

  /** When a tenant may use the disk again, as far as its limit goes. */
  long allowedAt(Tenant tenant) {
    return queue(tenant).share().allowedAt();
  }

  /** The next turn; null if nobody may have one. */
  Turn next(long now) {
    List<TenantQueue> asking = new ArrayList<>();
    for (TenantQueue each : tenants.values()) {
      if (each.asks() && each.share().allowedAt() <= now) {
        asking.add(each);
      }
    }
    Share.Choice choice = new Share.Choice(now, now - OLD_NANOS, turnNanos.applyAsLong(now), arm);
    while (!asking.isEmpty()) {
      TenantQueue first = first(asking, now);
      Turn turn = first.next(choice);
      if (turn != null) {
        disk.begins(first.share());
        return turn;
      }
      // It leaves the disk free for its short reads: others need not.
      asking.remove(first);
    }
    return null;
  }

  private static TenantQueue first(List<TenantQueue> asking, long now) {
    TenantQueue first = asking.get(0);
    for (TenantQueue each : asking) {
      first = each.share().goesBefore(first.share(), now) ? each : first;
    }
    return first;
  }

  /**
   * A read of a turn has left the disk.
   *
   * @param charged what it owes of its time there
   */
  void left(Claim claim, Turn turn, long charged, long now) {
    arm = claim.demand.place;
    turn.queue.left(claim, turn, charged, now);
  }

  /** A real-time read has left, whose last request was there ({@link Claim#setPlace}). */
  void armAt(long place) {
    arm = place;
  }

  /** A turn has ended. */
  void ended(Turn turn, long now) {
    turn.queue.ended(turn, turnNanos.applyAsLong(now), now);
  }

  /** When a turn may begin, or a time given if that is before. */
  long nextAt(long orAt, long now) {
    long at = orAt;
    for (TenantQueue each : tenants.values()) {
      at = each.asks() ? Math.min(at, each.nextAt(now)) : at;
    }
    return at;
  }
}
