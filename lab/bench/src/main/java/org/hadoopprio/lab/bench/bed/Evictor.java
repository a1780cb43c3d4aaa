// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.lab.bench.bed;

import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.hadoopprio.lab.disk.PageEviction;

/**
 * Drops from the page cache what was read and would be read from there again: what is read at
 * random every few seconds, and a stream's file when the stream has read it to its end. The
 * DataNode does that itself with drop-behind, but it cannot drop pages that are still being sent,
 * about half of them.
 */
public final class Evictor implements Closeable {

  private static final long INTERVAL_MS = 4_000;

  private final Set<Path> random;
  private final Map<String, Set<Path>> streams;
  private final BlockingQueue<Set<Path>> soon = new LinkedBlockingQueue<>();
  private final Thread thread = new Thread(this::work, "evictor");
  private volatile IOException failure;

  private Evictor(Set<Path> random, Map<String, Set<Path>> streams) {
    this.random = random;
    this.streams = streams;
  }

  /**
   * Starts dropping.
   *
   * @param random files that are read at random; others would lose what was read ahead
   * @param streams the files of each path that streams read, as {@link BlockFiles} has them
   */
  public static Evictor start(Set<Path> random, Map<String, Set<Path>> streams) {
    Evictor evictor = new Evictor(random, streams);
    evictor.thread.setDaemon(true);
    evictor.thread.start();
    return evictor;
  }

  /** Drops the files of a stream's path as soon as possible. */
  public void finished(String path) {
    soon.add(streams.getOrDefault(path, Set.of()));
  }

  private void work() {
    try {
      long next = System.nanoTime() + INTERVAL_MS * 1_000_000;
      while (true) {
        Set<Path> once = soon.poll(next - System.nanoTime(), TimeUnit.NANOSECONDS);
        PageEviction.evict(once != null ? once : random);
        if (once == null) {
          next += INTERVAL_MS * 1_000_000;
        }
      }
    } catch (IOException e) {
      failure = e;
    } catch (InterruptedException e) {
      // Closed.
      return;
    }
  }

  /** Checks that it works. */
  public void requireNoFailure() throws IOException {
    IOException seen = failure;
    if (seen != null) {
      throw new IOException("the page cache cannot be evicted: " + seen.getMessage(), seen);
    }
  }

  @Override
  public void close() {
    thread.interrupt();
  }
}
