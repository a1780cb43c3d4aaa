// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.disktime;

import java.util.concurrent.TimeUnit;

/** Claims and settings for tests. */
final class Claims {

  /** Of best-effort levels 0 to 7. */
  private static final int[] WEIGHTS = {8, 7, 6, 5, 4, 3, 2, 1};

  private Claims() {}

  static long ms(long millis) {
    return TimeUnit.MILLISECONDS.toNanos(millis);
  }

  /** The defaults but for the share of real-time. */
  static DiskSettings settings(double realtimeShare) {
    return new DiskSettings(
        realtimeShare,
        DiskSettings.DEFAULT.turnBytes(),
        DiskSettings.DEFAULT.turnNanos(),
        DiskSettings.DEFAULT.idleShare());
  }

  static Claim realtime() {
    return new Claim(DiskClass.REALTIME, 1, null);
  }

  /**
   * A best-effort read.
   *
   * @param stream null for a short read
   */
  static Claim be(int level, Stream stream) {
    return new Claim(DiskClass.BEST_EFFORT, WEIGHTS[level], stream);
  }

  static Claim idle(Stream stream) {
    return new Claim(DiskClass.IDLE, 1, stream);
  }
}
