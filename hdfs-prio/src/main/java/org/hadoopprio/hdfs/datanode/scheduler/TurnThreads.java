package org.hadoopprio.hdfs.datanode.scheduler;

import java.util.concurrent.ExecutorService;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/** The threads that read ahead and write behind in the turns of streams. Thread-safe. */
final class TurnThreads {

  private static final int MAX_THREADS = 1024;
  private static final long IDLE_THREAD_SECONDS = 10;

  private static final ExecutorService THREADS = threads();

  private TurnThreads() {}

  private static ExecutorService threads() {
    AtomicLong number = new AtomicLong();
    ThreadFactory daemons =
        work -> {
          Thread thread = new Thread(work, "hadoop-prio turns " + number.incrementAndGet());
          thread.setDaemon(true);
          return thread;
        };
    return new ThreadPoolExecutor(
        0, MAX_THREADS, IDLE_THREAD_SECONDS, TimeUnit.SECONDS, new SynchronousQueue<>(), daemons);
  }

  /**
   * Runs work on a thread of its own, which may have any priority from the work before.
   *
   * @throws RejectedExecutionException if too many are at work
   */
  static void execute(Runnable work) {
    THREADS.execute(work);
  }
}
