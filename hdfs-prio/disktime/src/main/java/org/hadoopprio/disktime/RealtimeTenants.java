// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.disktime;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.BiPredicate;

/**
 * How tenants divide real-time's share of a disk. Each has a token bucket that gains its part of
 * the share, by weight among the tenants that are there; one whose bucket is not empty is light. A
 * light one does not wait for what others have used up, and while there is one, each of the others
 * has one read at the disk, which does not begin while the light one is there: the drive might take
 * it first. Where several have used up their parts, the one goes first that has used least for its
 * weight. One alone has all of it. Guarded by the lock. Times are nanoseconds of one monotonic
 * clock.
 */
final class RealtimeTenants {

  /** Whoever has used the disk since then is expected to ask again. */
  static final long PRESENT_NANOS = TimeUnit.SECONDS.toNanos(2);

  /** What a bucket holds, and may owe. */
  private static final double MOST_NANOS = (double) RealtimeAccount.BURST_NANOS;

  /** What a tenant has of real-time. */
  private static final class Use {
    private double credit = MOST_NANOS;

    /** The disk time that it has used, divided by its weight. */
    private double virtualTime;

    /** When one of its reads was last at the disk; meaningless without {@link #hasUsed}. */
    private long usedAt;

    private boolean hasUsed;

    /** Whose the read is that has come to the disk last; null until one has. */
    private Owner owner;

    /** Its parts at the disk, or about to be. */
    private int parts;

    /** Those at the disk, without files that are being opened: these may be cached. */
    private int reading;

    private boolean isLight() {
      return credit > 0;
    }
  }

  private final Map<Tenant, Use> uses = new LinkedHashMap<>();
  private final Turns turns;
  private final RealtimeAccount account;

  /**
   * None.
   *
   * @param turns where a tenant's use counts, too
   * @param account at whose gates its reads wait
   */
  RealtimeTenants(Turns turns, RealtimeAccount account) {
    this.turns = turns;
    this.account = account;
  }

  private Use use(Claim claim) {
    return uses.computeIfAbsent(claim.tenant(), tenant -> new Use());
  }

  /** A read asks. Its tenant gets no credit for the time in which it did not. */
  void asked(Claim claim, long now) {
    Use use = use(claim);
    if (!isPresent(claim.tenant(), use, now)) {
      double least = Double.POSITIVE_INFINITY;
      for (Map.Entry<Tenant, Use> each : uses.entrySet()) {
        boolean isThere = isPresent(each.getKey(), each.getValue(), now);
        least = isThere ? Math.min(least, each.getValue().virtualTime) : least;
      }
      double before = use.virtualTime;
      use.virtualTime = Double.isInfinite(least) ? before : Math.max(before, least);
    }
  }

  /** It has parts that open files, or fewer if negative. */
  void opening(Claim claim, int parts) {
    come(claim, parts);
  }

  private Use come(Claim claim, int parts) {
    Use use = use(claim);
    use.parts += parts;
    use.owner = parts > 0 ? claim.owner() : use.owner;
    return use;
  }

  /** It has parts at the disk, or fewer if negative. */
  void reading(Claim claim, int parts, long now) {
    Use use = come(claim, parts);
    use.reading += parts;
    use.usedAt = now;
    use.hasUsed = true;
  }

  /**
   * Accounts for the time since the last call.
   *
   * @param share of real-time
   * @param taken how much of it real-time had the disk
   */
  void advance(long elapsed, long taken, double share, long now) {
    double weights = 0;
    int parts = 0;
    for (Map.Entry<Tenant, Use> each : uses.entrySet()) {
      parts += each.getValue().parts;
      weights +=
          isPresent(each.getKey(), each.getValue(), now) ? each.getKey().terms().weight() : 0;
    }
    for (Map.Entry<Tenant, Use> each : uses.entrySet()) {
      Use use = each.getValue();
      double weight = each.getKey().terms().weight();
      double gains = isPresent(each.getKey(), use, now) ? elapsed * share * weight / weights : 0;
      long used = use.parts == 0 ? 0 : taken * use.parts / parts;
      use.virtualTime += used / weight;
      use.credit = Math.max(-MOST_NANOS, Math.min(use.credit + gains - used, MOST_NANOS));
      if (used > 0) {
        turns.used(use.owner, used, now);
      }
    }
  }

  private boolean isPresent(Tenant tenant, Use use, long now) {
    return use.parts > 0
        || account.reads.waiting.has(tenant)
        || account.continued.waiting.has(tenant)
        || (use.hasUsed && now - use.usedAt < PRESENT_NANOS);
  }

  /** The tenants that are there of which something holds. */
  private int count(BiPredicate<Tenant, Use> what, long now) {
    int count = 0;
    for (Map.Entry<Tenant, Use> each : uses.entrySet()) {
      Tenant tenant = each.getKey();
      Use use = each.getValue();
      count += isPresent(tenant, use, now) && what.test(tenant, use) ? 1 : 0;
    }
    return count;
  }

  /** Whether reads may wait for what their tenants may, and not only for others of real-time. */
  boolean mayDelay(long now) {
    return isShared(now) || count((tenant, use) -> tenant.terms().isLimited(), now) > 0;
  }

  private boolean isShared(long now) {
    return uses.size() > 1 && count((tenant, use) -> true, now) > 1;
  }

  /** Whether a read may go to the disk as far as its tenant goes, while real-time may. */
  boolean mayGo(Claim claim, long now) {
    return hasPlace(use(claim), now) && turns.allowedAt(claim.tenant()) <= now;
  }

  private boolean hasPlace(Use its, long now) {
    if (its.isLight() || !isShared(now) || count((tenant, use) -> use.isLight(), now) == 0) {
      return true;
    }
    return its.parts == 0 && count((tenant, use) -> use.isLight() && use.reading > 0, now) == 0;
  }

  /** The same while real-time has used up its share: its tenant has not used up its own part. */
  boolean mayGoWithin(Claim claim, long now) {
    return isShared(now) && use(claim).isLight() && mayGo(claim, now);
  }

  /** What its tenant has used for its weight; who has used less goes first. */
  double virtualTime(Claim claim) {
    return use(claim).virtualTime;
  }
}
