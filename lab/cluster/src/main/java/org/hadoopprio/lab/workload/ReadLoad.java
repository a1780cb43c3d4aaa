// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.lab.workload;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongSupplier;
import org.hadoopprio.ycsb.Arrivals;

/** Reads repeatedly until a measured window is over, and records latencies. */
final class ReadLoad {

  /** Something that can be read again and again. */
  @FunctionalInterface
  interface Reader {
    /** Makes the next read of a closed loop possible, which is no part of its latency. */
    default void prepare() throws IOException {}

    /** Reads and returns the number of bytes. */
    int read() throws IOException;
  }

  private static final long NO_MORE = Long.MIN_VALUE;

  private final MeasuredWindow window;
  private final LongSupplier nanoTime;
  private final ReadLatencies latencies;

  ReadLoad(MeasuredWindow window) {
    this(window, System::nanoTime);
  }

  /**
   * A load by another clock.
   *
   * @param nanoTime of a closed loop; an open one waits for times of {@link System#nanoTime}
   */
  ReadLoad(MeasuredWindow window, LongSupplier nanoTime) {
    this.window = window;
    this.nanoTime = nanoTime;
    this.latencies = new ReadLatencies(window, nanoTime);
  }

  /**
   * Closed loop: each thread begins a read when its last has ended.
   *
   * @param readers a thread's each; one that is there several times must be thread-safe
   * @throws IOException if a read failed
   */
  ReadLatencies closed(List<? extends Reader> readers) throws IOException, InterruptedException {
    List<Callable<Void>> loops = new ArrayList<>();
    for (Reader reader : readers) {
      loops.add(() -> loop(reader));
    }
    return run(loops);
  }

  private Void loop(Reader reader) throws IOException {
    while (true) {
      reader.prepare();
      long due = nanoTime.getAsLong();
      if (window.isOver(due)) {
        return null;
      }
      latencies.ended(due, reader.read());
    }
  }

  /**
   * Open loop: reads are due at times that do not depend on how the earlier ones fare.
   *
   * @param reader thread-safe
   * @param threads how many reads can be under way; more of them wait for a thread, which is part
   *     of their latency
   * @throws IOException if a read failed
   */
  ReadLatencies open(Reader reader, Arrivals arrivals, int threads)
      throws IOException, InterruptedException {
    BlockingQueue<Long> due = new LinkedBlockingQueue<>();
    List<Callable<Void>> loops = new ArrayList<>();
    loops.add(
        () -> {
          arrive(arrivals, due);
          for (int i = 0; i < threads; i++) {
            due.add(NO_MORE);
          }
          return null;
        });
    for (int i = 0; i < threads; i++) {
      loops.add(() -> serve(reader, due));
    }
    return run(loops);
  }

  private void arrive(Arrivals arrivals, BlockingQueue<Long> due) {
    long start = System.nanoTime();
    for (long at = start + arrivals.nextNanos();
        !window.isOver(at);
        at = start + arrivals.nextNanos()) {
      parkUntil(at);
      due.add(at);
    }
    // A process that ends earlier looks as if it had failed.
    parkUntil(window.endNanos());
  }

  /** Waits until a time of {@link System#nanoTime}. */
  static void parkUntil(long nanos) {
    for (long wait = nanos - System.nanoTime(); wait > 0; wait = nanos - System.nanoTime()) {
      LockSupport.parkNanos(wait);
    }
  }

  private Void serve(Reader reader, BlockingQueue<Long> due)
      throws IOException, InterruptedException {
    for (long at = due.take(); at != NO_MORE; at = due.take()) {
      if (window.isOver(System.nanoTime())) {
        latencies.neverBegun(at);
      } else {
        latencies.ended(at, reader.read());
      }
    }
    return null;
  }

  private ReadLatencies run(List<Callable<Void>> loops) throws IOException, InterruptedException {
    ExecutorService threads = Executors.newFixedThreadPool(loops.size());
    try {
      for (Future<Void> loop : threads.invokeAll(loops)) {
        loop.get();
      }
      return latencies;
    } catch (ExecutionException e) {
      throw new IOException("a read failed: " + e.getCause(), e.getCause());
    } finally {
      threads.shutdownNow();
    }
  }
}
