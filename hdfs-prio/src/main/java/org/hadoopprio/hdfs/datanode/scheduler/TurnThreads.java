// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.hdfs.datanode.scheduler;

import java.util.concurrent.ExecutorService;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The threads that are at the disk of one volume in the turns of its streams: they read ahead and
 * write behind. Few have a turn together, so a volume needs many only if its disk hangs, and then
 * takes none from the others. Thread-safe.
 */
final class TurnThreads {

  /** The most of one volume, unless more streams than a quarter of that have a turn together. */
  static final int MAX_THREADS = 32;

  private static final int FOR_EACH_TURN = 4;

  private static final long IDLE_THREAD_SECONDS = 10;

  private static final ExecutorService THREADS = threads();

  private final int most;
  private final Semaphore free;

  /**
   * The threads of a volume, of which there are none yet.
   *
   * @param streams how many may have a turn together
   */
  TurnThreads(int streams) {
    most = Math.max(MAX_THREADS, FOR_EACH_TURN * streams);
    free = new Semaphore(most);
  }

  /** The most of them. */
  int most() {
    return most;
  }

  private static ExecutorService threads() {
    AtomicLong number = new AtomicLong();
    ThreadFactory daemons =
        work -> {
          Thread thread = new Thread(work, "hadoop-prio turns " + number.incrementAndGet());
          thread.setDaemon(true);
          return thread;
        };
    return new ThreadPoolExecutor(
        0,
        Integer.MAX_VALUE,
        IDLE_THREAD_SECONDS,
        TimeUnit.SECONDS,
        new SynchronousQueue<>(),
        daemons);
  }

  /**
   * Runs work that uses the disk on a thread of its own, which may have any priority from the work
   * before.
   *
   * @return false if too many threads are at the disk
   */
  boolean execute(Runnable work) {
    if (!free.tryAcquire()) {
      return false;
    }
    boolean runs =
        start(
            () -> {
              try {
                work.run();
              } finally {
                free.release();
              }
            });
    if (!runs) {
      free.release();
    }
    return runs;
  }

  /**
   * Runs work that does not use a disk on a thread of its own.
   *
   * @return false if this process has no thread for it
   */
  static boolean start(Runnable work) {
    try {
      THREADS.execute(work);
      return true;
    } catch (RejectedExecutionException | OutOfMemoryError e) {
      // The limit of threads of the process or of its user.
      return false;
    }
  }
}
