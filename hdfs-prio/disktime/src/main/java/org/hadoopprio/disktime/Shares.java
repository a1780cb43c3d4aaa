// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.disktime;

import java.util.function.Supplier;

/**
 * How what real-time leaves of a disk's time is shared out: the disk, of it a group of clients, of
 * a group the classes best-effort and idle, of a class its streams. There is one group for now.
 * Guarded by the lock. Times are nanoseconds.
 */
final class Shares {

  /** What old idle streams may have of the disk, in shares of idle. */
  private static final double OLD_SHARES = 2;

  /** What they may have however small the share is, so that the next one comes within seconds. */
  private static final double LEAST_PART = 0.01;

  private final Share disk = new Share(null, () -> 1);

  /** All clients: nothing tells them apart yet. */
  private final Share group = new Share(disk, () -> 1);

  private final Share bestEffort;
  private final Share idle;

  /** Tells the disk time that a class has used so far, short reads included. */
  interface Used {
    long nanos(DiskClass diskClass, long now);
  }

  /**
   * Idle's share. A turn of old idle streams is paid for: the next one does not come before
   * best-effort has had its part. Otherwise so many idle streams that all of them get old would
   * take every turn.
   */
  private final class Idle extends Share {
    private final Supplier<DiskSettings> settings;
    private final Used used;

    /** What best-effort had used when idle was chosen last. */
    private long bestEffortBefore;

    /** The same for idle. */
    private long idleBefore;

    private Idle(Supplier<DiskSettings> settings, Used used) {
      super(group, () -> settings.get().idleShare());
      this.settings = settings;
      this.used = used;
    }

    @Override
    boolean isOld(Choice at) {
      return super.isOld(at) && isPaid(at.now);
    }

    private boolean isPaid(long now) {
      double part = Math.max(OLD_SHARES * settings.get().idleShare(), LEAST_PART);
      long others = used.nanos(DiskClass.BEST_EFFORT, now) - bestEffortBefore;
      return others * part > (used.nanos(DiskClass.IDLE, now) - idleBefore) * (1 - part);
    }

    @Override
    Stream take(Choice at) {
      bestEffortBefore = used.nanos(DiskClass.BEST_EFFORT, at.now);
      idleBefore = used.nanos(DiskClass.IDLE, at.now);
      return super.take(at);
    }
  }

  /** Nobody has used anything. */
  Shares(Supplier<DiskSettings> settings, Used used) {
    this.bestEffort = new Share(group, () -> 1 - settings.get().idleShare());
    this.idle = new Idle(settings, used);
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
    return disk.waits();
  }

  /** The stream that goes next; one must wait. */
  Stream take(Share.Choice at) {
    return disk.take(at);
  }
}
