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

  /** Makes settings; the getters say what each is. */
  public DiskSettings(double realtimeShare, long turnBytes, long turnNanos, double idleShare) {
    this.realtimeShare = realtimeShare;
    this.turnBytes = turnBytes;
    this.turnNanos = turnNanos;
    this.idleShare = idleShare;
  }

  /** Real-time's share of disk time while others wait; more than 0, at most 1. */
  public double realtimeShare() {
    return realtimeShare;
  }

  /** The most bytes of a turn. */
  public long turnBytes() {
    return turnBytes;
  }

  /** The most disk time of a turn, in nanoseconds. */
  public long turnNanos() {
    return turnNanos;
  }

  /** The share of what real-time leaves that idle gets while best-effort waits; 0 to 1. */
  public double idleShare() {
    return idleShare;
  }
}
