// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.disktime;

import java.util.concurrent.TimeUnit;

/**
 * The account of real-time's use of a disk's time, and the gates that its reads pass.
 *
 * <p>The account is a token bucket in disk time: it gains {@code share} seconds a second, holds at
 * most {@link #BURST_NANOS} (less with a great share: see {@link #MAX_RUN_NANOS}), and pays for the
 * time in which real-time reads are at the disk. While other reads want the disk it may go into
 * debt without limit: what is at the disk when the account is empty will still be done. While
 * nobody else wants it, the debt stays small.
 *
 * <p>A gate closes when a read comes to it and the account is empty while others wait. It opens
 * when all reads that had been let in have finished, so that the disk really was with the others,
 * and the account has recovered to what it gains in the gate's pause.
 *
 * <p>Not thread-safe. Times are nanoseconds of one monotonic clock.
 */
final class RealtimeAccount {

  /** How long real-time may have the disk to itself after a quiet period. */
  static final long BURST_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

  /** The pause of single reads: a shorter one would give the others nothing. */
  static final long MIN_PAUSE_NANOS = DiskCosts.THERE_AND_BACK_NANOS;

  /**
   * The pause of reads that continue: most find their data read ahead, so that few of them wait,
   * and both they and the others read in long runs.
   */
  static final long CONTINUED_PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(150);

  /**
   * The longest pause, counted from the moment at which no real-time read is at the disk. Where
   * those reads have taken long to leave, the others have as much of the disk after that as makes
   * up for it.
   */
  static final long MAX_PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(500);

  /** The longest time to wait for reads at the disk, one of which may hang. */
  static final long MAX_DRAIN_NANOS = TimeUnit.SECONDS.toNanos(2);

  /**
   * How long real-time may have the disk without a pause while others wait, about. So it is up to a
   * share of 0.98; above, the account never holds less than {@link #MIN_PAUSE_NANOS}, and it is
   * longer. With a share of 1 there is no limit.
   */
  static final long MAX_RUN_NANOS = TimeUnit.SECONDS.toNanos(1);

  private double share;
  private double credit = (double) BURST_NANOS;
  private long at;

  /** The gate of single reads, and of the begin of each read. */
  final Gate reads = new Gate(MIN_PAUSE_NANOS);

  /** The gate of reads that continue where they were. */
  final Gate continued = new Gate(CONTINUED_PAUSE_NANOS);

  RealtimeAccount(double share, long now) {
    this.share = share;
    this.at = now;
  }

  /** Changes the share, more than 0 and at most 1. */
  void setShare(double share) {
    this.share = share;
  }

  /**
   * Accounts for the time since the last call.
   *
   * @param used how much of it real-time had the disk, in nanoseconds
   * @param contended whether other reads want the disk
   */
  void advance(long now, long used, boolean contended) {
    long elapsed = now - at;
    if (elapsed > 0) {
      credit = Math.min(credit + elapsed * share - used, burstNanos());
      if (!contended) {
        credit = Math.max(credit, (double) -MIN_PAUSE_NANOS);
      }
      at = now;
    }
  }

  /** Takes what real-time has cost others besides, in nanoseconds. */
  void charge(long nanos) {
    credit -= nanos;
  }

  /** The most that it holds: with a great share the same would last for longer. */
  private double burstNanos() {
    double run = (1 - share) * (double) MAX_RUN_NANOS;
    return Math.max((double) MIN_PAUSE_NANOS, Math.min(run, (double) BURST_NANOS));
  }

  double share() {
    return share;
  }

  boolean isOverdrawn() {
    return credit < 0 && share < 1;
  }

  /** Lets reads in, or does not. */
  final class Gate {

    /** The reads that wait before it. */
    final RealtimeQueue waiting = new RealtimeQueue();

    private final long pauseNanos;
    private boolean closed;
    private long closedAt;
    private long drainedAt;
    private boolean drained;

    private Gate(long pauseNanos) {
      this.pauseNanos = pauseNanos;
    }

    boolean isClosed() {
      return closed;
    }

    /** Whether others have the disk: it is closed, and those that were inside have ended. */
    boolean isPause() {
      return closed && drained;
    }

    /** Closes the gate if real-time has used up its share while others wait. */
    void closeIfDue(long now, boolean contended) {
      if (!closed && contended && isOverdrawn()) {
        closed = true;
        closedAt = now;
        drained = false;
      }
    }

    /**
     * Opens a closed gate if it is due.
     *
     * @param busy whether real-time reads are at the disk
     */
    void openIfDue(long now, boolean busy, boolean contended) {
      if (!closed) {
        return;
      }
      if (!drained && (!busy || now - closedAt >= MAX_DRAIN_NANOS)) {
        drained = true;
        drainedAt = now;
      }
      if (!contended
          || share >= 1
          || (drained && (missing() <= 0 || now - drainedAt >= longestPauseNanos()))) {
        closed = false;
      }
    }

    private long longestPauseNanos() {
      double owed = (drainedAt - closedAt) * (1 - share) / share;
      return Math.max(MAX_PAUSE_NANOS, Math.min((long) owed, MAX_DRAIN_NANOS));
    }

    /** What the account must gain until the pause is over. */
    private double missing() {
      return Math.min(pauseNanos * share, burstNanos()) - credit;
    }

    /** The nanoseconds until a closed gate may be due to open if no read finishes earlier. */
    long untilDue(long now) {
      if (!drained) {
        return closedAt + MAX_DRAIN_NANOS - now;
      }
      return Math.min(drainedAt + longestPauseNanos() - now, (long) Math.ceil(missing() / share));
    }
  }
}
