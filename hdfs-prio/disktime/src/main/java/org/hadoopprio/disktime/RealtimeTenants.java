// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.disktime;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * How tenants divide real-time's share of a disk. Each has a token bucket that gains its part of
 * the share, by weight among the tenants that have asked lately; one whose bucket is not empty is
 * light. A light one does not wait for what others have used up, and while there is one, each of
 * the others has one read at the disk, which does not begin while the light one is there: the drive
 * might take it first. Where several have used up their parts, the one goes first that has used
 * least for its weight. One alone has all of it. Guarded by the lock. Times are nanoseconds of one
 * monotonic clock.
 */
final class RealtimeTenants {

  /** Whoever has asked since then is expected to ask again. */
  static final long PRESENT_NANOS = TimeUnit.SECONDS.toNanos(2);

  /** What a bucket holds, and may owe. */
  private static final double MOST_NANOS = (double) RealtimeAccount.BURST_NANOS;

  /** What a tenant has of real-time. */
  private static final class Use {
    private double credit = MOST_NANOS;

    /** The disk time that it has used, divided by its weight. */
    private double virtualTime;

    private long askedAt;

    /** Its parts at the disk, or about to be. */
    private int parts;
  }

  private final Map<Tenant, Use> uses = new LinkedHashMap<>();
  private final Turns turns;

  /** How many have asked lately. */
  private int present;

  /** Those of them that are light, and of these the ones that are at the disk. */
  private int light;

  private int lightAtDisk;

  /** Whether the use of one of them is limited. */
  private boolean limited;

  /**
   * None.
   *
   * @param turns where a tenant's use counts, too
   */
  RealtimeTenants(Turns turns) {
    this.turns = turns;
  }

  private Use use(Claim claim) {
    return uses.computeIfAbsent(claim.tenant(), tenant -> new Use());
  }

  /** A read asks. */
  void asked(Claim claim, long now) {
    Use use = use(claim);
    if (!isPresent(use, now)) {
      double least = Double.POSITIVE_INFINITY;
      for (Use each : uses.values()) {
        least = isPresent(each, now) ? Math.min(least, each.virtualTime) : least;
      }
      use.virtualTime =
          Double.isInfinite(least) ? use.virtualTime : Math.max(use.virtualTime, least);
    }
    use.askedAt = now;
    count(now);
  }

  /** It has parts at the disk, or fewer if negative. */
  void at(Claim claim, int parts, long now) {
    use(claim).parts += parts;
    count(now);
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
      weights += isPresent(each.getValue(), now) ? each.getKey().terms().weight() : 0;
    }
    for (Map.Entry<Tenant, Use> each : uses.entrySet()) {
      Use use = each.getValue();
      double weight = each.getKey().terms().weight();
      double gains = isPresent(use, now) ? elapsed * share * weight / weights : 0;
      long used = use.parts == 0 ? 0 : taken * use.parts / parts;
      use.virtualTime += used / weight;
      use.credit = Math.max(-MOST_NANOS, Math.min(use.credit + gains - used, MOST_NANOS));
      if (used > 0) {
        turns.used(each.getKey(), used, now);
      }
    }
    count(now);
  }

  private void count(long now) {
    present = 0;
    light = 0;
    lightAtDisk = 0;
    limited = false;
    for (Map.Entry<Tenant, Use> each : uses.entrySet()) {
      Use use = each.getValue();
      if (isPresent(use, now)) {
        present++;
        light += use.credit > 0 ? 1 : 0;
        lightAtDisk += use.credit > 0 && use.parts > 0 ? 1 : 0;
        limited |= each.getKey().terms().isLimited();
      }
    }
  }

  private static boolean isPresent(Use use, long now) {
    return use.parts > 0 || now - use.askedAt < PRESENT_NANOS;
  }

  /** Whether reads may wait for what their tenants may, and not only for others of real-time. */
  boolean mayDelay() {
    return isShared() || limited;
  }

  private boolean isShared() {
    return present > 1;
  }

  /** Whether a read may go to the disk as far as its tenant goes, while real-time may. */
  boolean mayGo(Claim claim, long now) {
    Use use = use(claim);
    boolean free = !isShared() || light == 0 || use.credit > 0;
    return (free || (use.parts == 0 && lightAtDisk == 0)) && turns.allowedAt(claim.tenant()) <= now;
  }

  /** The same while real-time has used up its share: its tenant has not used up its own part. */
  boolean mayGoWithin(Claim claim, long now) {
    return isShared() && use(claim).credit > 0 && mayGo(claim, now);
  }

  /** What its tenant has used for its weight; who has used less goes first. */
  double virtualTime(Claim claim) {
    return use(claim).virtualTime;
  }
}
