// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.lab.it;

import static org.awaitility.Awaitility.await;

import java.io.Closeable;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.ReadWriteLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.hadoopprio.IoPriority;
import org.hadoopprio.hdfs.PriorityReads;

/**
 * Files that are appended to, truncated, deleted and made anew while others are read, by readers
 * who know each byte that must come and keep streams open over such changes.
 *
 * <p>A file is not read in the very moment of its change: an append moves a replica's file, and
 * where a reader does not find it just then, stock HDFS takes the replica for lost and drops it
 * ({@code BlockSender}'s constructor, FileNotFoundException). The tests of native/pbs read files
 * while they change.
 */
final class FileChurn implements Closeable {

  private static final int FILES = 8;
  private static final int READERS = 4;
  private static final int MAX_READ = 96 * 1024;

  /** What a file begins with and never loses: streams that are older than a change read it. */
  private static final int KEPT = 1 << 20;

  private static final int MAX_APPENDED = 200_000;
  private static final int MAX_LENGTH = 2 << 20;
  private static final long EVICTION_MILLIS = 500;
  private static final long CHANGE_MILLIS = 50;

  /** For a machine that is slow or has other work. */
  private static final long MAX_NANOS = TimeUnit.SECONDS.toNanos(Scale.CHURN_SECONDS.value());

  /** Which of the files that HDFS has placed are used. */
  @FunctionalInterface
  interface Choice {
    boolean uses(Path file) throws IOException;
  }

  /** Drops what is in the page cache. */
  @FunctionalInterface
  interface Eviction {
    void run() throws IOException;
  }

  /** One file: an instance lives until the file is deleted. */
  private static final class Content {
    final Path path;
    final long seed;
    final ReadWriteLock lock = new ReentrantReadWriteLock();

    /** Begin of a part to what its bytes are made of: another one each time it is written. */
    final NavigableMap<Long, Integer> parts = new TreeMap<>(Map.of(0L, 0));

    long length;
    int written;
    volatile boolean deleted;

    Content(Path path) {
      this.path = path;
      this.seed = path.getName().hashCode();
    }

    byte[] bytes(long offset, int count) {
      byte[] bytes = new byte[count];
      for (int i = 0; i < count; i++) {
        long position = offset + i;
        int part = position < KEPT ? 0 : parts.floorEntry(position).getValue();
        long word =
            (seed * 31 + part) * 0x9E3779B97F4A7C15L + (position >> 3) * 0xBF58476D1CE4E5B9L;
        word ^= word >>> 29;
        bytes[i] = (byte) (word >>> (8 * (position & 7)));
      }
      return bytes;
    }
  }

  private final DistributedFileSystem fs;
  private final Choice choice;
  private final Eviction eviction;
  private final ExecutorService threads = Executors.newCachedThreadPool();
  private final List<Content> files = new ArrayList<>();
  private final AtomicInteger made = new AtomicInteger();
  private final AtomicInteger left = new AtomicInteger();
  private final AtomicInteger done = new AtomicInteger();
  private final AtomicInteger changes = new AtomicInteger();
  private volatile boolean over;
  private volatile long end;

  FileChurn(DistributedFileSystem fs, Choice choice, Eviction eviction) throws IOException {
    this.fs = fs;
    this.choice = choice;
    this.eviction = eviction;
    for (int i = 0; i < FILES; i++) {
      files.add(create());
    }
  }

  /**
   * Reads at random and compares; throws for the first wrong byte and the first lost read.
   *
   * @param reads how many, unless the time is over before
   * @return how many were done
   */
  int read(int reads, IoPriority priority) throws Exception {
    left.set(reads);
    end = System.nanoTime() + MAX_NANOS;
    List<Future<Void>> others = new ArrayList<>();
    others.add(threads.submit(repeatedly(this::change, CHANGE_MILLIS)));
    others.add(threads.submit(repeatedly(eviction::run, EVICTION_MILLIS)));
    List<Future<Void>> readers = new ArrayList<>();
    for (int i = 0; i < READERS; i++) {
      readers.add(threads.submit(() -> readAll(priority)));
    }
    try {
      for (Future<Void> reader : readers) {
        reader.get();
      }
    } finally {
      over = true;
    }
    for (Future<Void> other : others) {
      other.get();
    }
    return done.get();
  }

  /** How often a file was changed meanwhile. */
  int changes() {
    return changes.get();
  }

  private interface Step {
    void run() throws Exception;
  }

  private Callable<Void> repeatedly(Step step, long pauseMillis) {
    return () -> {
      while (!over) {
        step.run();
        Thread.sleep(pauseMillis);
      }
      return null;
    };
  }

  private Content create() throws IOException {
    while (true) {
      Content content = new Content(new Path("/churn-" + made.incrementAndGet()));
      try (FSDataOutputStream out = fs.create(content.path)) {
        out.write(content.bytes(0, KEPT));
      }
      content.length = KEPT;
      if (choice.uses(content.path)) {
        return content;
      }
      fs.delete(content.path, false);
    }
  }

  private void change() throws Exception {
    SplittableRandom random = new SplittableRandom();
    int index = random.nextInt(FILES);
    Content content;
    synchronized (files) {
      content = files.get(index);
    }
    content.lock.writeLock().lock();
    try {
      int kind = random.nextInt(10);
      if (kind == 0) {
        content.deleted = true;
        fs.delete(content.path, false);
        Content next = create();
        synchronized (files) {
          files.set(index, next);
        }
      } else if (content.length > KEPT && (kind == 1 || content.length > MAX_LENGTH)) {
        truncate(content, KEPT + random.nextLong(content.length - KEPT));
      } else {
        append(content, 1 + random.nextInt(MAX_APPENDED));
      }
      changes.incrementAndGet();
    } finally {
      content.lock.writeLock().unlock();
    }
  }

  private void append(Content content, int count) throws IOException {
    content.parts.put(content.length, ++content.written);
    try (FSDataOutputStream out = fs.append(content.path)) {
      out.write(content.bytes(content.length, count));
    }
    content.length += count;
  }

  private void truncate(Content content, long length) throws Exception {
    fs.truncate(content.path, length);
    // In the middle of a block the DataNode does it, after a while. When the NameNode calls the
    // file closed, the DataNode may still not know the block.
    await("the file is truncated")
        .atMost(Duration.ofMinutes(2))
        .until(() -> fs.isFileClosed(content.path) && isReadable(content.path, length));
    content.parts.tailMap(length, true).clear();
    content.parts.putIfAbsent(0L, 0);
    content.length = length;
  }

  /** Whether a read without a priority, which no engine does, finds the file's end. */
  private boolean isReadable(Path path, long length) {
    try (FSDataInputStream in = fs.open(path)) {
      in.readFully(length - 1, new byte[1]);
      return true;
    } catch (IOException e) {
      return false;
    }
  }

  private Void readAll(IoPriority priority) throws Exception {
    Map<Content, FSDataInputStream> open = new HashMap<>();
    try {
      while (!over && System.nanoTime() < end && left.decrementAndGet() >= 0) {
        if (readOne(open, priority)) {
          done.incrementAndGet();
        } else {
          left.incrementAndGet();
        }
      }
    } finally {
      for (FSDataInputStream in : open.values()) {
        in.close();
      }
    }
    return null;
  }

  /** False where the file was deleted meanwhile. */
  private boolean readOne(Map<Content, FSDataInputStream> open, IoPriority priority)
      throws IOException {
    ThreadLocalRandom random = ThreadLocalRandom.current();
    Content content;
    synchronized (files) {
      content = files.get(random.nextInt(FILES));
    }
    content.lock.readLock().lock();
    try {
      return random.nextInt(4) == 0
          ? readAtRest(content, priority)
          : readThroughOpenStream(open, content, priority);
    } finally {
      content.lock.readLock().unlock();
    }
  }

  /** Reads through a stream that may be older than what has happened to the file. */
  private boolean readThroughOpenStream(
      Map<Content, FSDataInputStream> open, Content content, IoPriority priority)
      throws IOException {
    try {
      FSDataInputStream in = open.get(content);
      if (in == null) {
        in = fs.open(content.path);
        open.put(content, in);
      }
      readAndCompare(in, content, KEPT, priority);
      return true;
    } catch (IOException e) {
      // HDFS itself fails reads of a block that has been truncated since the stream was opened.
      FSDataInputStream broken = open.remove(content);
      if (broken != null) {
        broken.close();
      }
      return readAtRest(content, priority);
    }
  }

  /** Reads anywhere in a file that nobody changes meanwhile. */
  private boolean readAtRest(Content content, IoPriority priority) throws IOException {
    if (content.deleted) {
      return false;
    }
    try (FSDataInputStream in = fs.open(content.path)) {
      readAndCompare(in, content, content.length, priority);
      return true;
    } catch (IOException e) {
      throw new IOException("lost: a read of " + content.path, e);
    }
  }

  private static void readAndCompare(
      FSDataInputStream in, Content content, long end, IoPriority priority) throws IOException {
    ThreadLocalRandom random = ThreadLocalRandom.current();
    int count = 1 + random.nextInt(MAX_READ);
    long offset = random.nextLong(end - count);
    byte[] actual = new byte[count];
    PriorityReads.readFully(in, offset, actual, 0, count, priority);
    byte[] expected = content.bytes(offset, count);
    int wrong = Arrays.mismatch(expected, actual);
    if (wrong >= 0) {
      throw new AssertionError(
          content.path + ": wrong byte at " + (offset + wrong) + ", read from " + offset);
    }
  }

  @Override
  public void close() {
    over = true;
    threads.shutdownNow();
  }
}
