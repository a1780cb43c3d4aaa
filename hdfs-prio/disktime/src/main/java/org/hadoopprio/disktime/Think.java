// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.disktime;

/**
 * The time until readers ask again, on average, and so for how long the disk is kept for them.
 * Guarded by the lock. Times are nanoseconds.
 */
final class Think {

  private final long most;
  private double nanos;

  /**
   * Of readers that are not known.
   *
   * @param most the disk is not kept for readers that take longer
   */
  Think(long most) {
    this.most = most;
    this.nanos = most * 4.0;
  }

  /** A reader has asked again after that time. */
  void add(long sample) {
    nanos += (Math.min(sample, 8 * most) - nanos) / 8;
  }

  /** Until when the disk is kept for a reader that has left now. */
  long until(long now) {
    return nanos <= most ? now + (long) (1.5 * nanos) : Long.MIN_VALUE;
  }
}
