// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.disktime;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
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
  private final Predicate<Share> hasTurn;

  private final TurnLength length;

  private final Share disk = new Share(null, () -> 1);
  private final Map<Tenant, TenantQueue> tenants = new LinkedHashMap<>();

  /** Where on the device the last read was that has left, if that is known. */
  private long arm = Claim.UNKNOWN_PLACE;

  /** The number of reads that wait; also read without the lock. */
  private volatile int waiting;

  private volatile int ableToGo;
  private volatile int tenantsAble;
  private volatile long shortsDueAt = Long.MAX_VALUE;

  /**
   * Nobody waits.
   *
   * @param held knows what a read with a deadline needs
   * @param length of turns
   * @param hasTurn whether a stream of a class has the disk, or one of its spindles
   */
  TurnQueue(
      HeldReads held,
      Supplier<DiskSettings> settings,
      TurnLength length,
      Predicate<Share> hasTurn) {
    this.held = held;
    this.settings = settings;
    this.length = length;
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
    TenantQueue queue = queue(claim);
    queue.add(claim, length.nanos(queue, now), now);
    changed(queue, 1, now);
  }

  /** A read waits no more. */
  void withdraw(Claim claim, long now) {
    TenantQueue queue = queue(claim);
    queue.withdraw(claim);
    changed(queue, -1, now);
  }

  /** Takes out the next read of a turn; there must be one. */
  Claim take(Turn turn, long now) {
    Claim taken = turn.queue.take(turn, now);
    changed(turn.queue, -1, now);
    return taken;
  }

  private void changed(TenantQueue queue, int change, long now) {
    queue.countWaiting(change);
    int before = waiting;
    waiting = before + change;
    look(now);
  }

  /** Finds out what those want that may have a turn now. */
  private void look(long now) {
    int able = 0;
    int count = 0;
    long due = Long.MAX_VALUE;
    for (TenantQueue each : tenants.values()) {
      if (each.isAble(now)) {
        able += each.waiting();
        count++;
        due = Math.min(due, each.shorts().dueAt());
      }
    }
    ableToGo = able;
    tenantsAble = count;
    shortsDueAt = due;
  }

  /** The tenants that may have a turn. Thread-safe. */
  int tenantsAbleToGo() {
    return tenantsAble;
  }

  /** Whether a short read of another tenant has to begin. */
  boolean isOtherDue(TenantQueue queue, long now) {
    return otherDue(queue, now) != null;
  }

  private TenantQueue otherDue(TenantQueue queue, long now) {
    if (now < shortsDueAt) {
      return null;
    }
    for (TenantQueue each : tenants.values()) {
      if (each != queue && each.isAble(now) && now >= each.shorts().dueAt()) {
        return each;
      }
    }
    return null;
  }

  /** A turn has ended before its time; if that was for a read of another tenant, that one pays. */
  void chargeDue(TenantQueue ended, double nanos, long now) {
    TenantQueue due = otherDue(ended, now);
    if (due != null) {
      due.share().charge((long) nanos, due.share().portion());
    }
  }

  /** Those of the reads that wait whose tenants have not reached their limits. Thread-safe. */
  int ableToGo() {
    return ableToGo;
  }

  /**
   * When a short read of a tenant that may have a turn has to begin, or {@link Long#MAX_VALUE}. It
   * waits for the shortest turn of a stream first. Thread-safe.
   */
  long shortsDueAt() {
    return shortsDueAt;
  }

  /** Of the tenants that may have a turn, the fewest reads that wait and turns; 1 if none may. */
  int fewestCompeting(long now) {
    int fewest = Integer.MAX_VALUE;
    for (TenantQueue each : tenants.values()) {
      fewest = each.isAble(now) ? Math.min(fewest, each.competing()) : fewest;
    }
    return fewest == Integer.MAX_VALUE ? 1 : fewest;
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

  /**
   * Real-time reads of a tenant have used the disk: that counts for its guarantee and its limit. By
   * weight only what real-time leaves is shared, or a tenant's syncs would wait for its own
   * real-time to be paid.
   */
  void used(Tenant tenant, long nanos, long now) {
    queue(tenant).share().used(nanos, now);
  }

  /**
   * Whether short reads of one tenant wait, which has no limit, and nobody else who may go: the
   * next turn is theirs.
   */
  boolean onlyShortsOf(TenantQueue queue, long now) {
    int able = 0;
    for (TenantQueue each : tenants.values()) {
      able += each.isAble(now) ? each.waiting() : 0;
    }
    int shorts = queue.shorts().size();
    return shorts > 0 && able == shorts && !queue.share().isLimited();
  }

  /** Whether one waits, and could have gone since then. */
  boolean hasBeenAbleSince(long at) {
    return tenants.values().stream().anyMatch(each -> each.isAble(at));
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
      } else if (each.asks()) {
        // It loses what it may not have: nobody owes it that when its limit is gone.
        disk.comes(each.share(), 0);
      }
    }
    look(now);
    boundLeads(asking);
    while (!asking.isEmpty()) {
      TenantQueue first = first(asking, now);
      Turn turn = first.next(choice(first, asking, now));
      if (turn != null) {
        first.countTurns(1);
        disk.begins(least(asking));
        return turn;
      }
      // It leaves the disk free for its short reads: others need not.
      asking.remove(first);
    }
    return null;
  }

  private Share.Choice choice(TenantQueue queue, List<TenantQueue> asking, long now) {
    double all = 0;
    for (TenantQueue each : asking) {
      all += each.share().portion();
    }
    double part = queue.share().portion() / all;
    return new Share.Choice(now, now - OLD_NANOS, length.nanos(queue, now), arm, part);
  }

  private static TenantShare least(List<TenantQueue> asking) {
    TenantShare least = asking.get(0).share();
    for (TenantQueue each : asking) {
      least = each.share().isBehind(least) ? each.share() : least;
    }
    return least;
  }

  /** Who has gone by guarantee is not far behind afterwards, nor those who come then. */
  private static void boundLeads(List<TenantQueue> asking) {
    if (asking.size() > 1) {
      double least = least(asking).virtualTime;
      asking.forEach(each -> each.share().boundLead(least));
    }
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

  /**
   * A turn has ended.
   *
   * @param ofDisk what it had of the disk's time
   */
  void ended(Turn turn, long ofDisk, long now) {
    turn.queue.countTurns(-1);
    turn.queue.ended(turn, ofDisk, length.nanos(turn.queue, now), now);
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
