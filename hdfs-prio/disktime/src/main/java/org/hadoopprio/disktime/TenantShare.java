// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.disktime;

import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

/**
 * What one tenant has of a disk's time. It goes before others while it has had less than its
 * guarantee, and waits while it has had more than its limit; between these, start-time fair
 * queueing by weight. Guarantee and limit are tags of real time, as those of mClock (A. Gulati, A.
 * Merchant, P. Varman, OSDI 2010), but all that the tenant uses counts for both. Guarded by the
 * lock. Times are nanoseconds of one monotonic clock.
 */
final class TenantShare extends Share {

  /**
   * For how long a tenant that was refused its guarantee, or did not ask, can make up for it. A
   * turn of others is shorter.
   */
  static final long MAKE_UP_NANOS = TimeUnit.SECONDS.toNanos(1);

  /** More than this at a time shows that the disk hangs, and not what a tenant has had of it. */
  private static final long MOST_NANOS = Turns.MAX_SYNC_NANOS;

  /** How late the turn of a limited tenant may come without a loss: after one of others. */
  private static final long LATE_NANOS = DiskSettings.DEFAULT.turnNanos();

  private final Tenant tenant;
  private final BooleanSupplier asks;

  /** Until then what it has used is more than its guarantee. */
  private long guaranteedAt = Long.MIN_VALUE;

  /** What it has used more than its limit allowed until {@link #usedAt}; less than 0 if less. */
  private double debtNanos;

  private long usedAt = Long.MIN_VALUE;

  private double credit;

  /**
   * One that has used nothing.
   *
   * @param asks whether something of it waits
   */
  TenantShare(Share disk, Tenant tenant, BooleanSupplier asks) {
    super(disk, () -> tenant.terms().weight());
    this.tenant = tenant;
    this.asks = asks;
  }

  Tenant tenant() {
    return tenant;
  }

  @Override
  boolean waits() {
    return asks.getAsBoolean();
  }

  /**
   * Something of it is going to ask. As a stream, it has a credit of a turn if it was there a
   * moment ago.
   */
  void asks(long turnNanos, long now) {
    boolean goesOn = usedAt != Long.MIN_VALUE && now - usedAt < Stream.BREAK_NANOS;
    credit = goesOn ? turnNanos / portion() : 0;
  }

  @Override
  double credit() {
    return credit;
  }

  /** It has used the disk for some time, until then. */
  void used(long had, long until) {
    Tenant.Terms terms = tenant.terms();
    long nanos = Math.min(had, MOST_NANOS);
    if (terms.guarantee() > 0) {
      long from = Math.max(guaranteedAt, until - nanos - MAKE_UP_NANOS);
      // What it has used while nobody else asked costs it nothing of it.
      guaranteedAt = Math.min(from + (long) (nanos / terms.guarantee()), until + MAKE_UP_NANOS);
    }
    // What ended before something else did is known only now.
    long at = Math.max(usedAt, until);
    double least = -terms.limit() * LATE_NANOS;
    double begun =
        usedAt == Long.MIN_VALUE ? least : debtNanos - terms.limit() * (at - nanos - usedAt);
    debtNanos = terms.isLimited() ? Math.max(begun, least) + nanos * (1 - terms.limit()) : 0;
    usedAt = at;
  }

  /** Whether its use is limited, so that it may have to stop although nobody else asks. */
  boolean isLimited() {
    return tenant.terms().isLimited();
  }

  /** When it may use the disk again, as far as its limit goes. */
  long allowedAt() {
    Tenant.Terms terms = tenant.terms();
    return terms.isLimited() && debtNanos > 0
        ? usedAt + (long) (debtNanos / terms.limit())
        : Long.MIN_VALUE;
  }

  /** It has used no more than so much above the one that has used least, for its weight. */
  void boundLead(double least) {
    virtualTime = Math.min(virtualTime, least + MAKE_UP_NANOS / portion());
  }

  /** Whether it goes before another one. */
  boolean goesBefore(TenantShare other, long now) {
    boolean mine = isOwed(now);
    boolean others = other.isOwed(now);
    if (mine && others) {
      return guaranteedAt < other.guaranteedAt;
    }
    return mine == others ? isBehind(other) : mine;
  }

  /** Whether it has had less than its guarantee. */
  private boolean isOwed(long now) {
    return tenant.terms().guarantee() > 0 && guaranteedAt <= now;
  }
}
