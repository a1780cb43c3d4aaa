package org.hadoopprio.hdfs.datanode.share;

import java.util.concurrent.TimeUnit;

/**
 * Real-time's account of one volume's disk time, and the gate in front of its reads.
 *
 * <p>The account is a token bucket in disk time: it gains {@code share} seconds a second, up to
 * {@link #BURST_NANOS}, and pays for the disk time of real-time reads. A disk serves one request at
 * a time, so a read's disk time is what has passed since the completion before it, of whatever
 * class, or since the read began where that was later. Waiting behind lower classes is theirs, not
 * real-time's.
 *
 * <p>The gate closes when the account is overdrawn while lower classes wait. It opens again when
 * every read admitted before has ended and the account is settled: one read in flight is enough for
 * the kernel's scheduler to hold lower classes back, so the pause has to be common to all. All
 * reads that waited are then admitted together, whatever the account says by the time they run; so
 * a read waits for one pause, never for two.
 *
 * <p>Not thread-safe. Times are nanoseconds of one monotonic clock.
 */
final class DiskTimeGate {

  /**
   * What the account may hold, and so how long real-time may have the disk to itself after a quiet
   * time: some ten reads of a spindle.
   */
  static final long BURST_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

  /** The longest the gate stays closed, and what bounds a debt: a stuck read is not paid for. */
  static final long MAX_CLOSED_NANOS = TimeUnit.MILLISECONDS.toNanos(500);

  /** What {@link #arrive} returns for a read that need not wait. */
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
   * A real-time read wants the disk.
   *
   * @return {@link #ADMITTED}, or what {@link #hasOpenedSince} is to be asked
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
  void begin() {
    inFlight++;
  }

  /** An admitted read has left the disk; {@code began} is the time of its {@link #begin}. */
  void end(long began, long now, boolean usedDisk) {
    inFlight--;
    if (usedDisk) {
      gain(now);
      long used = now - Math.max(began, lastCompletion);
      credit = Math.max(credit - Math.max(used, 0), -(long) (MAX_CLOSED_NANOS * share));
      completed(now);
    }
  }

  /** The disk has completed a request. */
  void completed(long now) {
    lastCompletion = Math.max(lastCompletion, now);
  }

  /** Opens a closed gate if it is time to. Returns whether the gate is open. */
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

  /** In how many nanoseconds a closed gate may be due to open, if nothing ends before. */
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
