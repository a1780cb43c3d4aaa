// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.hdfs.datanode.scheduler;

import java.util.concurrent.TimeUnit;

/**
 * For how long the disk is kept for the real-time reader that has just left: if such readers ask
 * for their next read soon, turns between two reads would cost more than they give. Guarded by the
 * volume's lock.
 */
final class KeptDisk {

  /** A reader that asks for its next read within this time keeps the disk meanwhile. */
  static final long MAX_THINK_NANOS = TimeUnit.MILLISECONDS.toNanos(4);

  private final RealtimeSigns signs;
  private final HeldReads held;

  private long leftAt;

  /** Whether no real-time read has asked since {@link #leftAt}. */
  private boolean thinking;

  private double thinkNanos = MAX_THINK_NANOS * 4.0;

  KeptDisk(RealtimeSigns signs, HeldReads held, long now) {
    this.signs = signs;
    this.held = held;
    this.leftAt = now;
  }

  /** Whether it is kept for a read that asks now. */
  boolean isFor(Ticket ticket, long now) {
    return now < signs.keptUntil && held.isAwaited(ticket);
  }

  /** A real-time read has asked. */
  void asked(long now) {
    if (thinking) {
      thinking = false;
      double think = (double) Math.min(now - leftAt, 8 * MAX_THINK_NANOS);
      thinkNanos += (think - thinkNanos) / 8;
    }
  }

  /** The last real-time read has left. */
  void left(Ticket last, long now) {
    if (!last.hasDeadline()) {
      leftAt = now;
      thinking = true;
      signs.keptUntil =
          thinkNanos <= MAX_THINK_NANOS ? now + (long) (1.5 * thinkNanos) : Long.MIN_VALUE;
      held.awaitAny();
    } else {
      signs.keptUntil = held.awaitNext();
    }
  }
}
