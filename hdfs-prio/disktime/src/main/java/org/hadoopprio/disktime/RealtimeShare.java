// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.disktime;

/**
 * Real-time's share of a disk's time while others want it, given who competes.
 *
 * <p>Without priorities a disk serves all that wait alike, one request of each after the other. A
 * reader's part of its time is then what its request takes, divided by what all requests take: a
 * stream's request is as long as the kernel reads ahead ({@link #sequentialBytes}). Where
 * real-time's part is more than the configured share, a priority would make reads slower than none.
 * So real-time has at least that and {@link #MARGIN}, as long as the others keep {@link #KEPT} of
 * what they would have without priorities.
 */
public final class RealtimeShare {

  /**
   * What real-time has in addition to its part without priorities, of all time: the disk's ways
   * between real-time and the others, and the pauses, cost real-time some of its share.
   */
  static final double MARGIN = 0.15;

  /**
   * The part that others keep of the disk time which they would have without priorities: with less
   * they wait for longer ({@code LongestWaitTest}), with more 128 sequential real-time readers
   * would be slower than stock.
   */
  static final double KEPT = 0.62;

  /** What a random read, such as HBase's of a block, asks for at most. */
  public static final long RANDOM_BYTES = Claim.PART_BYTES;

  /** What HDFS reads ahead of a stream at most (dfs.datanode.readahead.bytes). */
  private static final long MOST_BYTES = 4 << 20;

  /** What others have at least: a pause ({@link RealtimeAccount#MIN_PAUSE_NANOS}) in each run. */
  private static final double LEAST =
      (double) RealtimeAccount.MIN_PAUSE_NANOS / RealtimeAccount.MAX_RUN_NANOS;

  private RealtimeShare() {}

  /**
   * What stock HDFS asks of the disk at once for sequential access.
   *
   * @param readAheadBytes of the kernel, which BlockSender doubles (POSIX_FADV_SEQUENTIAL)
   */
  public static long sequentialBytes(long readAheadBytes) {
    return Math.max(RANDOM_BYTES, Math.min(2 * readAheadBytes, MOST_BYTES));
  }

  /**
   * The share in force.
   *
   * @param configured more than 0, at most 1
   * @param realtime what the requests of real-time take that are at the disk or wait for it, in
   *     nanoseconds
   * @param others the same of the other reads and writes
   * @return at least {@code configured}, at most 1
   */
  public static double of(double configured, double realtime, double others) {
    if (realtime == 0 || others == 0) {
      return configured;
    }
    double othersPart = others / (realtime + others);
    double left = Math.max(LEAST, Math.max(KEPT * othersPart, othersPart - MARGIN));
    return Math.max(configured, 1 - left);
  }
}
