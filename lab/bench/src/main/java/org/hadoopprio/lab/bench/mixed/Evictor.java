// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.lab.bench.mixed;

import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.hadoopprio.lab.disk.PageEviction;

/**
 * Drops what Gets have read from the page cache, every few seconds. The DataNode does that itself
 * with drop-behind, but it cannot drop pages that are still being sent, about half of them.
 */
final class Evictor implements Closeable {

  private static final long INTERVAL_MS = 4_000;

  private final Set<Path> files;
  private final BlockingQueue<Set<Path>> soon = new LinkedBlockingQueue<>();
  private final Thread thread = new Thread(this::work, "evictor");
  private volatile IOException failure;

  private Evictor(Set<Path> files) {
    this.files = files;
  }

  /** Starts dropping files that are read at random; others would lose what was read ahead. */
  static Evictor start(Set<Path> files) {
    Evictor evictor = new Evictor(files);
    evictor.thread.setDaemon(true);
    evictor.thread.start();
    return evictor;
  }

  /** Drops files once, as soon as possible. */
  void evictSoon(Set<Path> once) {
    soon.add(once);
  }

  private void work() {
    try {
      long next = System.nanoTime() + INTERVAL_MS * 1_000_000;
      while (true) {
        Set<Path> once = soon.poll(next - System.nanoTime(), TimeUnit.NANOSECONDS);
        PageEviction.evict(once != null ? once : files);
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
  void requireNoFailure() throws IOException {
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
