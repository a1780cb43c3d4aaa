// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.disktime;

import java.util.concurrent.TimeUnit;

/** The numbers that a {@link Disk} works with. Immutable. */
public final class DiskSettings {

  /** What is usual for a hard disk. */
  public static final DiskSettings DEFAULT =
      new DiskSettings(0.65, 16 << 20, TimeUnit.MILLISECONDS.toNanos(100), 0.05);

  private final double realtimeShare;
  private final long turnBytes;
  private final long turnNanos;
  private final double idleShare;
  private final long slowNanos;

  /**
   * Makes settings; the getters say what each is. A read is slow after a second.
   *
   * @throws IllegalArgumentException if one is not within its range
   */
  public DiskSettings(double realtimeShare, long turnBytes, long turnNanos, double idleShare) {
    this(realtimeShare, turnBytes, turnNanos, idleShare, TimeUnit.SECONDS.toNanos(1));
  }

  private DiskSettings(
      double realtimeShare, long turnBytes, long turnNanos, double idleShare, long slowNanos) {
    check(realtimeShare > 0 && realtimeShare <= 1, "real-time's share", realtimeShare);
    check(turnBytes > 0, "the bytes of a turn", turnBytes);
    check(turnNanos > 0, "the time of a turn", turnNanos);
    check(idleShare > 0 && idleShare < 1, "idle's share", idleShare);
    check(slowNanos >= 0, "the time after which a read is slow", slowNanos);
    this.realtimeShare = realtimeShare;
    this.turnBytes = turnBytes;
    this.turnNanos = turnNanos;
    this.idleShare = idleShare;
    this.slowNanos = slowNanos;
  }

  /**
   * The same with another time after which a read is slow.
   *
   * @throws IllegalArgumentException if it is negative
   */
  public DiskSettings slowAfter(long nanos) {
    return new DiskSettings(realtimeShare, turnBytes, turnNanos, idleShare, nanos);
  }

  private static void check(boolean isAllowed, String what, Number value) {
    if (!isAllowed) {
      throw new IllegalArgumentException(what + ": " + value);
    }
  }

  /** Real-time's share of disk time while others wait; more than 0, at most 1. */
  public double realtimeShare() {
    return realtimeShare;
  }

  /** The most bytes of a turn; more than 0. */
  public long turnBytes() {
    return turnBytes;
  }

  /** The most disk time of a turn, in nanoseconds; more than 0. */
  public long turnNanos() {
    return turnNanos;
  }

  /**
   * The share of what real-time leaves that idle gets while best-effort waits; more than 0, less
   * than 1.
   */
  public double idleShare() {
    return idleShare;
  }

  /** A read that waits for longer than these nanoseconds is remembered; 0 for none. */
  public long slowNanos() {
    return slowNanos;
  }
}
