// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.disktime;

import java.util.LinkedHashSet;
import java.util.Set;
import java.util.concurrent.TimeUnit;

/**
 * The reads of other classes that have files, and whether one of them wants the disk without a turn
 * because its thread waits for the kernel: to open the files, for checksums, or for what was found
 * in the page cache and was lost. Where real-time never pauses the kernel sends nothing of that to
 * the drive for 10 s (prio_aging_expire, block/mq-deadline.c).
 *
 * <p>Guarded by the lock. Times are nanoseconds of one monotonic clock.
 */
final class FileUsers {

  /**
   * How long a thread may be at its files as if all were cached: less than a request with a seek.
   */
  static final long GRACE_NANOS = TimeUnit.MILLISECONDS.toNanos(5);

  /** There may be thousands of them, and each real-time read asks several times. */
  private static final long LOOK_NANOS = TimeUnit.MILLISECONDS.toNanos(1);

  private final Set<Claim> reads = new LinkedHashSet<>();

  /** What the last look has found. */
  private boolean found;

  private long lookedAt;

  /** Nobody has files. */
  FileUsers(long now) {
    this.lookedAt = now - LOOK_NANOS;
  }

  /** One is about to open its files. */
  void add(Claim claim) {
    if (!reads.add(claim)) {
      throw new IllegalStateException("it has its files already");
    }
  }

  /** It has closed them, or has failed to open them. */
  void remove(Claim claim) {
    reads.remove(claim);
  }

  /** Whether one wants the disk, as of a millisecond ago; not one that is regarded as lost. */
  boolean want(long now) {
    if (now - lookedAt >= LOOK_NANOS) {
      lookedAt = now;
      found = reads.stream().anyMatch(each -> wants(each, now));
    }
    return found;
  }

  /** A thread that is not at its files, or came there after {@code now}, is so for less than 0. */
  private static boolean wants(Claim read, long now) {
    long nanos = now - read.atFilesSince();
    return nanos >= GRACE_NANOS && nanos < Disk.LOST_NANOS;
  }
}
