// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.disktime;

/**
 * What short reads and syncs owe to streams; they have no turn before it is paid, unless idle alone
 * waits ({@link TurnQueue}). Best-effort streams have the disk for half of the time that short
 * reads have had before while a stream waited: so they keep a third however long a read or a sync
 * takes, which is not known before. Guarded by the lock. Times are nanoseconds.
 *
 * <p>What is owed comes from one turn of short reads only. So they wait for half as long as the
 * last ones took, and not at all for streams that do not wait.
 */
final class OwedToStreams {

  /** How many times as long as the streams after it a turn of short reads is. */
  private static final int SHORT_TO_STREAMS = 2;

  private long nanos;

  /** Whether the next turn may be one of short reads although best-effort streams wait. */
  boolean mayShortsBegin() {
    return nanos <= 0;
  }

  /**
   * A turn of short reads begins. Streams that did not wait have let their time pass: it is not
   * owed.
   */
  void shortsBegin() {
    nanos = 0;
  }

  /** A turn of short reads has ended, which had the disk for that time while a stream waited. */
  void shortsHad(long had) {
    nanos += had / SHORT_TO_STREAMS;
  }

  /**
   * A turn of a best-effort stream has ended; if there are several spindles, maybe in one of short
   * reads. The disk was kept for it, also if it has read nothing.
   */
  void streamHad(long had) {
    nanos -= Math.max(had, Turns.GRACE_NANOS);
  }

  /** What is owed now. */
  long nanos() {
    return Math.max(0, nanos);
  }
}
