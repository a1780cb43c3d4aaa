// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.hdfs.datanode.scheduler;

import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * A volume's clock, which stands still while the process does. While anybody waits for the disk it
 * is watched, that is looked at each second ({@link TurnWaits}). Where nobody has looked then for
 * longer than {@link #PAUSE_NANOS}, the process was stopped (a signal, a long garbage collection, a
 * virtual machine that was moved). A pause is no time that a read has waited or has had the disk
 * for, and none in which the scheduler could have given a turn. While nobody waits, the clock is as
 * any other: that nobody looks says nothing then.
 *
 * <p>Monotonic, in nanoseconds. Thread-safe.
 */
final class RunningClock implements VolumeClock {

  /** Twice as long as the thread that watches the clock sleeps while somebody waits. */
  static final long PAUSE_NANOS = TimeUnit.SECONDS.toNanos(2);

  /** What a pause counts for: less than real-time may have the disk for without a pause. */
  static final long COUNTED_NANOS = TimeUnit.MILLISECONDS.toNanos(50);

  /**
   * How exactly it is known when somebody last looked: each look would be a write otherwise. Less
   * than a pause counts for, or the clock would go back for who looked right before one.
   */
  private static final long EXACT_NANOS = COUNTED_NANOS / 2;

  private final LongSupplier clock;
  private volatile Look last;

  /** Guarded by this. */
  private boolean watched;

  /**
   * Runs with another one, unwatched.
   *
   * @param clock monotonic, in nanoseconds
   */
  RunningClock(LongSupplier clock) {
    this.clock = clock;
    this.last = new Look(clock.getAsLong(), 0);
  }

  @Override
  public long getAsLong() {
    long now = clock.getAsLong();
    Look seen = last;
    if (now - seen.at >= EXACT_NANOS) {
      seen = look(now);
    }
    // Who was stopped right after it had asked must not go back behind the pause.
    return Math.max(now - seen.at, 0) + seen.at - seen.paused;
  }

  @Override
  public synchronized void watched(boolean now) {
    look(clock.getAsLong());
    watched = now;
  }

  private synchronized Look look(long now) {
    long gap = now - last.at;
    if (gap > 0) {
      long pause = watched && gap > PAUSE_NANOS ? gap - COUNTED_NANOS : 0;
      last = new Look(now, last.paused + pause);
    }
    return last;
  }

  /** When somebody has looked, by the other clock, and how long the pauses before it were. */
  private static final class Look {

    final long at;
    final long paused;

    Look(long at, long paused) {
      this.at = at;
      this.paused = paused;
    }
  }
}
