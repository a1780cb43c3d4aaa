// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.hdfs.datanode.scheduler;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;
import org.hadoopprio.metrics.PriorityMetrics;

/**
 * A lock under which nobody waits for anything, be it a disk, a socket or a log: what may take long
 * is put off until the lock was given back.
 */
final class QuickLock {

  private final ReentrantLock lock = new ReentrantLock();

  /** What the thread that has the lock does when it has given it back. */
  private List<Runnable> putOff = new ArrayList<>();

  void lock() {
    lock.lock();
  }

  /** Whether the calling thread has it, and so gives it back with one {@link #unlock}. */
  boolean isHeld() {
    return lock.getHoldCount() == 1;
  }

  /** Does something as soon as the calling thread, which has the lock, has given it back. */
  void afterwards(Runnable work) {
    assert isHeld();
    putOff.add(work);
  }

  /** Gives it back, and does what was put off. */
  void unlock() {
    run(giveBack());
  }

  /** The same for a thread that others need: another one does what was put off. */
  void unlockAndGoOn() {
    List<Runnable> due = giveBack();
    if (!due.isEmpty() && !TurnThreads.start(() -> run(due))) {
      run(due);
    }
  }

  private List<Runnable> giveBack() {
    List<Runnable> due = List.of();
    if (!putOff.isEmpty()) {
      due = putOff;
      putOff = new ArrayList<>();
    }
    lock.unlock();
    return due;
  }

  /** One that fails, such as a log, does not keep the others from being done. */
  private static void run(List<Runnable> due) {
    for (Runnable each : due) {
      try {
        each.run();
      } catch (RuntimeException | LinkageError e) {
        PriorityMetrics.FAILED.increment();
      }
    }
  }
}
