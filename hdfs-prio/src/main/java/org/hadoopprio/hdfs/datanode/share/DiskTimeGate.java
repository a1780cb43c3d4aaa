package org.hadoopprio.hdfs.datanode.share;

import java.util.concurrent.TimeUnit;

/**
 * The account of real-time's use of one volume's disk time, and the gate that its reads pass.
 *
 * <p>The account is a token bucket in disk time: it gains {@code share} seconds a second, up to
 * {@link #BURST_NANOS}, and pays for the disk time of real-time reads. A disk serves one request at
 * a time, so a read's disk time is the time since the previous completion, of any class, or since
 * the read started if that was later. Time spent waiting behind lower classes is not charged to
 * real-time.
 *
 * <p>The gate closes when the account is overdrawn while lower classes wait. It opens again when
 * every read admitted before has finished and the account is no longer overdrawn. One read in
 * flight is enough for the kernel's scheduler to hold lower classes back, so all reads must pause
 * together. All reads that waited are then admitted together, whatever the state of the account
 * when they run, so a read waits for one pause only.
 *
 * <p>Not thread-safe. Times are nanoseconds of one monotonic clock.
 */
final class DiskTimeGate {

  /**
   * The limit of the account, and so how long real-time may monopolize the disk after a quiet
   * period: about ten reads of a rotating disk.
   */
  static final long BURST_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

  /**
   * The longest time that the gate stays closed. It also bounds the debt, so that a stuck read is
   * not charged in full.
   */
  static final long MAX_CLOSED_NANOS = TimeUnit.MILLISECONDS.toNanos(500);

  /** Returned by {@link #arrive} for a read that need not wait. */
  static final long ADMITTED = -1;

  private double share;
  private long credit = BURST_NANOS;
  private long creditedAt;
  private long lastCompletion;
  private int inFlight;
  private boolean closed;
  private long closedAt;
  private long openings;

  DiskTimeGate(double share, long now) {
    this.share = share;
    this.creditedAt = now;
    this.lastCompletion = now;
  }

  /** Changes the share, more than 0 and at most 1. */
  void setShare(double share, long now) {
    gain(now);
    this.share = share;
  }

  /** Whether real-time has used more than its share. */
  boolean isOverdrawn(long now) {
    gain(now);
    return credit < 0;
  }

  /**
   * A real-time read asks for the disk.
   *
   * @return {@link #ADMITTED}, or the argument for {@link #hasOpenedSince}
   */
  long arrive(long now, boolean lowerClassesWait) {
    if (!closed && lowerClassesWait && isOverdrawn(now)) {
      closed = true;
      closedAt = now;
    }
    return closed ? openings : ADMITTED;
  }

  /** Whether the gate has opened after that arrival. */
  boolean hasOpenedSince(long arrival) {
    return openings != arrival;
  }

  /** An admitted read is at the disk. */
  void enter() {
    inFlight++;
  }

  /** An admitted read has left the disk; {@code entered} is the time of its {@link #enter}. */
  void leave(long entered, long now, boolean usedDisk) {
    inFlight--;
    if (usedDisk) {
      gain(now);
      long used = now - Math.max(entered, lastCompletion);
      credit = Math.max(credit - Math.max(used, 0), -(long) (MAX_CLOSED_NANOS * share));
      completed(now);
    }
  }

  /** The disk has completed a request. */
  void completed(long now) {
    lastCompletion = Math.max(lastCompletion, now);
  }

  /** Opens a closed gate if it is due. Returns whether the gate is open. */
  boolean openIfDue(long now, boolean lowerClassesWait) {
    if (closed
        && (!lowerClassesWait
            || now - closedAt >= MAX_CLOSED_NANOS
            || (inFlight == 0 && !isOverdrawn(now)))) {
      closed = false;
      openings++;
    }
    return !closed;
  }

  /** The nanoseconds until a closed gate may be due to open if no read finishes earlier. */
  long untilDue(long now) {
    gain(now);
    long untilTimeout = closedAt + MAX_CLOSED_NANOS - now;
    if (inFlight > 0) {
      return untilTimeout;
    }
    return Math.min(untilTimeout, (long) Math.ceil(-credit / share));
  }

  private void gain(long now) {
    long elapsed = now - creditedAt;
    if (elapsed > 0) {
      credit = Math.min(credit + (long) (elapsed * share), BURST_NANOS);
      creditedAt = now;
    }
  }
}
