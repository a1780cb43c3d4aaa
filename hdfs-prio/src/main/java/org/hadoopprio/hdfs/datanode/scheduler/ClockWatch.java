// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.hdfs.datanode.scheduler;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.hadoopprio.metrics.PriorityMetrics;

/**
 * The thread that looks at a disk's clock for all that wait there, and leaves when nobody has for a
 * second. Its fields are guarded by the lock of {@link TurnWaits}, where the protocol is.
 */
final class ClockWatch {

  /** How long the thread stays when nobody waits. */
  private static final long IDLE_NANOS = TimeUnit.SECONDS.toNanos(1);

  /** The value of {@link #wakesAt} while it sleeps until somebody waits. */
  private static final long NEVER = Long.MAX_VALUE;

  private final TurnWaits waits;
  private final VolumeClock clock;

  /** Whether the thread runs, or is about to. */
  private boolean runs;

  /** Null before its first look, and after its last; also read without the lock. */
  private volatile Thread thread;

  /** Until when it sleeps; also read without the lock. */
  private volatile long wakesAt;

  ClockWatch(TurnWaits waits, VolumeClock clock) {
    this.waits = waits;
    this.clock = clock;
  }

  /**
   * Makes sure that the thread looks at a time. Needs the lock.
   *
   * @return false if this process has no thread for it
   */
  boolean lookBy(long due) {
    if (!runs) {
      runs = TurnThreads.start(this::watchTheClock);
      clock.watched(runs);
    } else if (due < wakesAt) {
      wakesAt = due;
      LockSupport.unpark(thread);
    }
    return runs;
  }

  /** Makes the thread look now if it sleeps for longer than until a time. Needs no lock. */
  void lookNowUnlessBy(long due) {
    if (wakesAt > due) {
      LockSupport.unpark(thread);
    }
  }

  private void watchTheClock() {
    try {
      for (long left = look(); left > 0; left = look()) {
        LockSupport.parkNanos(waits, left);
      }
    } catch (RuntimeException | LinkageError e) {
      PriorityMetrics.FAILED.increment();
      waits.log().warn(VolumeLog.Warning.CLOCK, e);
    }
  }

  /** Returns for how long the clock need not be looked at, in nanoseconds, or 0 for ever. */
  private long look() {
    long left = 0;
    waits.lock();
    try {
      thread = Thread.currentThread();
      boolean waitedForSomebody = wakesAt == NEVER;
      long now = clock.getAsLong();
      waits.lookNow(now);
      // Before it is found out what is due: see TurnWaits.paused.
      wakesAt = NEVER;
      if (waits.isAnyWaiting()) {
        left = waits.untilDue(now);
        wakesAt = now + left;
      } else if (!waitedForSomebody) {
        left = IDLE_NANOS;
      }
      return left;
    } finally {
      if (left == 0) {
        runs = false;
        clock.watched(false);
        thread = null;
      }
      waits.unlockForTheClock();
    }
  }
}
