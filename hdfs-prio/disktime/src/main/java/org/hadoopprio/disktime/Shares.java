// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.disktime;

import java.util.function.Supplier;

/**
 * How what a tenant has of a disk's time is shared out: the tenant's classes best-effort and idle,
 * of a class its streams. Guarded by the lock. Times are nanoseconds.
 */
final class Shares {

  /** What old idle streams may have of the disk, in shares of idle. */
  private static final double OLD_SHARES = 2;

  /** What they may have however small the share is, so that the next one comes within seconds. */
  private static final double LEAST_PART = 0.01;

  private final TenantShare tenant;
  private final Share bestEffort;
  private final Share idle;

  /**
   * Idle's share. A turn of old idle streams is paid for: the next one does not come before
   * best-effort has had its part. Otherwise so many idle streams that all of them get old would
   * take every turn.
   */
  private final class Idle extends Share {
    private final Supplier<DiskSettings> settings;

    /** What best-effort had used when idle was chosen last. */
    private long bestEffortBefore;

    /** The same for idle. */
    private long idleBefore;

    private Idle(Share tenant, Supplier<DiskSettings> settings) {
      super(tenant, () -> settings.get().idleShare());
      this.settings = settings;
    }

    @Override
    boolean isOld(Choice at) {
      return super.isOld(at) && isPaid();
    }

    private boolean isPaid() {
      double part = Math.max(OLD_SHARES * settings.get().idleShare(), LEAST_PART);
      long others = bestEffort.usedNanos() - bestEffortBefore;
      return others * part > (usedNanos() - idleBefore) * (1 - part);
    }

    @Override
    Stream take(Choice at) {
      bestEffortBefore = bestEffort.usedNanos();
      idleBefore = usedNanos();
      return super.take(at);
    }
  }

  /** Nobody has used anything. */
  Shares(TenantShare tenant, Supplier<DiskSettings> settings) {
    this.tenant = tenant;
    this.bestEffort = new Share(tenant, () -> 1 - settings.get().idleShare());
    this.idle = new Idle(tenant, settings);
  }

  TenantShare tenant() {
    return tenant;
  }

  Share bestEffort() {
    return bestEffort;
  }

  Share idle() {
    return idle;
  }

  /** The share of a claim that is not real-time. */
  Share of(Claim claim) {
    return claim.isIdleClass() ? idle : bestEffort;
  }

  boolean isAnyWaiting() {
    return bestEffort.waits() || idle.waits();
  }

  /** The stream that goes next; one must wait. */
  Stream take(Share.Choice at) {
    return tenant.take(at);
  }
}
