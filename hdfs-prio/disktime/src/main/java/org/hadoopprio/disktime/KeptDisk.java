// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.disktime;

/**
 * For how long the disk is kept for the real-time reader that has just left: if such readers ask
 * for their next read soon, turns between two reads would cost more than they give. Guarded by the
 * lock.
 */
final class KeptDisk {

  private final RealtimeSigns signs;
  private final HeldReads held;
  private final Think betweenReads = new Think(DiskCosts.KEPT_BETWEEN_READS_NANOS);
  private final Think betweenParts = new Think(DiskCosts.KEPT_BETWEEN_PARTS_NANOS);

  /** What is being waited for since {@link #leftAt}; null if a read has asked since. */
  private Think thinking;

  private long leftAt;

  KeptDisk(RealtimeSigns signs, HeldReads held, long now) {
    this.signs = signs;
    this.held = held;
    this.leftAt = now;
  }

  /** Whether it is kept for a read that asks now. */
  boolean isFor(Claim claim, long now) {
    return now < signs.keptUntil && held.isAwaited(claim);
  }

  /** A real-time read has asked. */
  void asked(long now) {
    if (thinking != null) {
      thinking.add(now - leftAt);
      thinking = null;
    }
  }

  /** The last real-time read has left. */
  void left(Claim last, long now) {
    if (!last.hasDeadline()) {
      await(betweenReads, now);
    } else {
      signs.keptUntil = held.awaitNext();
    }
  }

  /** The last real-time read has its part in memory, and will ask for the next one. */
  void sends(long now) {
    await(betweenParts, now);
  }

  private void await(Think next, long now) {
    leftAt = now;
    thinking = next;
    signs.keptUntil = next.until(now);
    held.awaitAny();
  }
}
