// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.hdfs.datanode.scheduler;

import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;

/**
 * What the writes of one disk have put into the page cache while reads want the disk, and have not
 * yet brought to the disk. Thread-safe.
 *
 * <p>It takes disk time away from the reads as it grows: a write has the weight of as many streams
 * as it has turns of data here. So a write that comes at a steady rate, like a write-ahead log,
 * gets what it needs. Only when all writes of the disk together have the limit do those wait that
 * have more than a turn.
 */
final class WriteBacklog {

  /** As many streams as all writes of a disk may count, if they are fewer. */
  private static final double MAX_STREAMS = 16;

  private final LongSupplier limit;
  private long bytes;
  private int writes;

  /**
   * Nothing yet.
   *
   * @param limit in bytes; asked while a write may have to wait
   */
  WriteBacklog(LongSupplier limit) {
    this.limit = limit;
  }

  /**
   * Data of a write has come, or was brought to the disk.
   *
   * @param before what the write had here, in bytes
   * @param now what it has here
   */
  synchronized void change(long before, long now) {
    bytes += now - before;
    writes += Long.signum(now) - Long.signum(before);
    if (now < before) {
      notifyAll();
    }
  }

  /** In bytes. */
  synchronized long bytes() {
    return bytes;
  }

  /** Whether it has reached the limit. */
  synchronized boolean isFull() {
    return bytes >= limit.getAsLong();
  }

  /**
   * Waits until a condition does not hold any more; it is asked again whenever data was brought to
   * the disk. An interrupt ends the wait and stays set.
   *
   * @param nanos the longest wait
   */
  synchronized void waitWhile(BooleanSupplier condition, long nanos) {
    long left = nanos;
    long deadline = System.nanoTime() + left;
    try {
      while (left > 0 && condition.getAsBoolean()) {
        TimeUnit.NANOSECONDS.timedWait(this, left);
        left = deadline - System.nanoTime();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /**
   * How many streams a write counts as for its next turn; 1 or more.
   *
   * @param own what it has here, in bytes
   * @param turn what a stream reads in a turn, in bytes
   */
  synchronized double streams(long own, long turn) {
    double most = Math.max(1, MAX_STREAMS / Math.max(1, writes));
    return Math.min(Math.max(1, (double) own / turn), most);
  }
}
