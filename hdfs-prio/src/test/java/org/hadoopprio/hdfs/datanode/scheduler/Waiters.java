// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.hdfs.datanode.scheduler;

import static org.hadoopprio.lab.testing.Soon.soon;

import java.util.concurrent.Callable;
import java.util.concurrent.Future;
import java.util.concurrent.locks.LockSupport;

/** Waits until others wait. */
final class Waiters {

  private Waiters() {}

  /** Until a thread sleeps until it has a turn. */
  static void awaitAsleep(Thread thread) {
    awaitAsleep(thread, () -> !thread.isAlive());
  }

  /** The same of the thread that does some work. */
  static void awaitAsleep(Thread thread, Future<?> work) {
    awaitAsleep(thread, work::isDone);
  }

  private static void awaitAsleep(Thread thread, Callable<Boolean> isOver) {
    soon("it waits for a turn")
        .failFast("it does not wait", isOver)
        .until(() -> LockSupport.getBlocker(thread) instanceof TurnWaits);
  }

  /** Until so many best-effort reads and writes of a volume wait. */
  static void awaitWaiting(VolumeQueue queue, int number) {
    soon(number + " wait for turns")
        .until(() -> queue.status().getBestEffort().getWaiting(), waiting -> waiting == number);
  }
}
