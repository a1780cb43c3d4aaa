// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.hdfs.datanode.scheduler;

/**
 * Real-time's share of a disk's time while others want it, given how many reads compete.
 *
 * <p>Without priorities a disk serves all that wait alike: <i>r</i> real-time reads beside <i>o</i>
 * others would have about r/(r+o) of its time. Where that is more than the configured share, a
 * priority would make reads slower than none. So real-time has at least that and {@link #MARGIN},
 * as long as the others keep {@link #KEPT} of what they would have without priorities.
 */
final class RealtimeShare {

  /**
   * What real-time has in addition to its part without priorities, of all time: the disk's ways
   * between real-time and the others, and the pauses, cost real-time some of its share.
   */
  static final double MARGIN = 0.15;

  /**
   * The part that others keep of the disk time which they would have without priorities. What they
   * read in it is at least a quarter of what they would read.
   */
  static final double KEPT = 0.4;

  /** What others have at least: a pause ({@link RealtimeAccount#MIN_PAUSE_NANOS}) in each run. */
  private static final double LEAST =
      (double) RealtimeAccount.MIN_PAUSE_NANOS / RealtimeAccount.MAX_RUN_NANOS;

  private RealtimeShare() {}

  /**
   * The share in force.
   *
   * @param configured more than 0, at most 1
   * @param realtime the real-time reads at the disk, and those that wait for it
   * @param others the other reads and writes at the disk, and those that wait for it
   * @return at least {@code configured}, at most 1
   */
  static double of(double configured, int realtime, int others) {
    if (realtime == 0 || others == 0) {
      return configured;
    }
    double othersPart = others / ((double) realtime + others);
    double left = Math.max(LEAST, Math.max(KEPT * othersPart, othersPart - MARGIN));
    return Math.max(configured, 1 - left);
  }
}
