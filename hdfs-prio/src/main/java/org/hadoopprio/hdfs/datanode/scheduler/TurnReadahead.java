package org.hadoopprio.hdfs.datanode.scheduler;

import java.io.FileDescriptor;
import java.io.FileInputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.hadoopprio.IoPriority;
import org.hadoopprio.linux.DescriptorNumber;
import org.hadoopprio.linux.PageCache;
import org.hadoopprio.linux.ThreadIoPriority;
import org.hadoopprio.log.RateLimitedLog;
import org.slf4j.LoggerFactory;

/**
 * Reads the data of one stream into the page cache in the stream's turns, ahead of the thread that
 * sends it. So a turn lasts as long as the disk has something to read for it, whatever the client's
 * speed, and the disk serves the next stream while the client takes what is in memory.
 *
 * <p>It is at most as far ahead as the client has come, or {@link #FIRST_BYTES}, and at most a
 * turn: a client that stops early has cost no more than it used. Thread-safe.
 */
final class TurnReadahead implements Runnable {

  /**
   * The bytes of one request; two are at the disk together. A real-time read that comes may have to
   * wait for both.
   */
  static final int PIECE_BYTES = 256 << 10;

  /** What HDFS reads ahead of a client by default (dfs.datanode.readahead.bytes). */
  static final long FIRST_BYTES = 4 << 20;

  /** How often what was read ahead is looked up in the page cache, which may have lost it. */
  private static final long CHECKED_BYTES = 1 << 20;

  /** Those of a block of 1 GiB. */
  private static final long MAX_CHECKSUM_BYTES = 8 << 20;

  /** A kernel reads at least this much with one advice, unless read_ahead_kb was made smaller. */
  private static final long CHECKSUM_PIECE_BYTES = 128 << 10;

  private static final int MAX_THREADS = 1024;
  private static final long IDLE_THREAD_SECONDS = 10;

  private static final ExecutorService THREADS = threads();

  private static final ThreadLocal<ByteBuffer> SCRATCH =
      ThreadLocal.withInitial(() -> ByteBuffer.allocateDirect(PIECE_BYTES));

  private static final RateLimitedLog LOG =
      new RateLimitedLog(LoggerFactory.getLogger(TurnReadahead.class));

  private final VolumeQueue queue;
  private final IoPriority priority;
  private final Ticket ticket;
  private final long start;
  private final long end;

  /** What was read ahead, up to this offset. Guarded by this, as the fields below. */
  private long position;

  /** How far the client has come. */
  private long consumed;

  /** Where what was read ahead is looked up in the page cache next. */
  private long checkedUntil;

  /** Up to where it may read now. */
  private long limit;

  /** The most that it may be ahead; less after the page cache has lost what it had read. */
  private long most;

  private boolean running;

  /** What the next run reads, opened by the stream's thread; the run closes them. */
  private FileInputStream file;

  private FileInputStream checksumFile;

  /** The stream's open file of checksums until they were read ahead; else null. */
  private FileDescriptor checksums;

  private volatile boolean stopped;

  /**
   * Describes what to read ahead; nothing is read before {@link #reach}.
   *
   * @param ticket of the stream, used by nobody else
   * @param start where the stream is in the block, in bytes
   * @param end of the stream in the block, in bytes
   * @param checksums the open file of the block's checksums; null if it is not known
   */
  TurnReadahead(
      VolumeQueue queue,
      IoPriority priority,
      Ticket ticket,
      long turnBytes,
      long start,
      long end,
      FileDescriptor checksums) {
    this.queue = queue;
    this.priority = priority;
    this.ticket = ticket;
    this.start = start;
    this.end = end;
    this.position = start;
    this.checkedUntil = start;
    this.most = turnBytes;
    this.checksums = checksums;
  }

  private static ExecutorService threads() {
    AtomicLong number = new AtomicLong();
    ThreadFactory daemons =
        work -> {
          Thread thread = new Thread(work, "hadoop-prio readahead " + number.incrementAndGet());
          thread.setDaemon(true);
          return thread;
        };
    return new ThreadPoolExecutor(
        0, MAX_THREADS, IDLE_THREAD_SECONDS, TimeUnit.SECONDS, new SynchronousQueue<>(), daemons);
  }

  /** Whether it has read something that the client has not yet, or is about to. */
  synchronized boolean isAhead(long offset) {
    return running || offset < position;
  }

  /**
   * Waits until the data at an offset has been read ahead. The stream's thread calls this before
   * each packet.
   *
   * @param source the open file of the block
   * @return false if it has not, so that the thread has to read for itself
   */
  synchronized boolean reach(long offset, FileDescriptor source) {
    consumed = offset;
    if (offset >= checkedUntil && offset < position) {
      check(offset, source);
    }
    if (!running && position - offset <= window() / 2) {
      read(offset, source);
    } else {
      limit = Math.min(end, offset + window());
    }
    boolean interrupted = false;
    while (running && position <= offset && !interrupted) {
      try {
        wait();
      } catch (InterruptedException e) {
        interrupted = true;
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
    return position > offset;
  }

  private void check(long offset, FileDescriptor source) {
    long length = Math.min(CHECKED_BYTES, position - offset);
    checkedUntil = offset + length;
    if (!running && !PageCache.isResident(DescriptorNumber.of(source), offset, length)) {
      position = offset;
      most = Math.max(CHECKED_BYTES, most / 2);
    }
  }

  private long window() {
    return Math.min(most, Math.max(FIRST_BYTES, consumed - start));
  }

  private void read(long offset, FileDescriptor source) {
    position = Math.max(position, offset);
    limit = Math.min(end, offset + window());
    if (position >= limit) {
      return;
    }
    try {
      file = open(source);
      if (checksums != null && consumed > start) {
        checksumFile = open(checksums);
        checksums = null;
      }
      running = true;
      THREADS.execute(this);
    } catch (IOException | RejectedExecutionException e) {
      LOG.warn("A stream reads nothing ahead in its turns: " + e);
      finished();
    }
  }

  /** Another open file, because the kernel's own readahead follows what is read from each. */
  private static FileInputStream open(FileDescriptor source) throws IOException {
    return new FileInputStream("/proc/self/fd/" + DescriptorNumber.of(source));
  }

  @Override
  public void run() {
    try (FileInputStream data = file;
        FileInputStream sums = checksumFile) {
      checksumFile = null;
      ThreadIoPriority.settle(priority);
      read(data.getChannel(), DescriptorNumber.of(data.getFD()), sums);
    } catch (IOException e) {
      // The stream's own read meets the same error, and reports it to the client.
      LOG.warn("A stream could not be read ahead: " + e);
    } finally {
      queue.done(ticket);
      finished();
    }
  }

  private void read(FileChannel data, int descriptor, FileInputStream sums) throws IOException {
    FileInputStream first = sums;
    long advised = 0;
    for (int bytes = next(0); bytes > 0; bytes = next(bytes)) {
      long at = at();
      if (at >= advised && PageCache.isResident(descriptor, at, bytes)) {
        continue;
      }
      if (!queue.mayContinue(ticket, queue.now())) {
        queue.enter(ticket, () -> stopped);
        if (stopped) {
          return;
        }
      }
      if (first != null) {
        adviseAll(first);
        first = null;
      }
      if (advised <= at) {
        PageCache.advise(descriptor, at, bytes);
      }
      advised = Math.min(at + 2L * PIECE_BYTES, limit());
      PageCache.advise(descriptor, at + PIECE_BYTES, advised - at - PIECE_BYTES);
      if (!await(data, descriptor, at, bytes)) {
        return;
      }
      ticket.read(bytes);
    }
  }

  /**
   * Reads the first checksums of a block into the page cache together with their header, those of
   * 16 MiB of data: the kernel's own readahead begins with less, and goes there several times.
   */
  static void adviseFirst(FileDescriptor checksums) {
    PageCache.advise(DescriptorNumber.of(checksums), 0, CHECKSUM_PIECE_BYTES);
  }

  /**
   * Reads a file of checksums into the page cache, all of it: it is in another place than the data,
   * and the kernel's own readahead of 128 KiB would make the disk go there for each 16 MiB of data.
   */
  private static void adviseAll(FileInputStream sums) throws IOException {
    int descriptor = DescriptorNumber.of(sums.getFD());
    long length = Math.min(sums.getChannel().size(), MAX_CHECKSUM_BYTES);
    for (long at = 0; at < length; at += CHECKSUM_PIECE_BYTES) {
      PageCache.advise(descriptor, at, CHECKSUM_PIECE_BYTES);
    }
  }

  /**
   * Waits until a piece is in the page cache. Only its last byte is read, so that pages which the
   * client has not got yet do not count as used twice, which would keep them after that.
   *
   * @return false at the end of the file
   */
  private static boolean await(FileChannel data, int descriptor, long at, int bytes)
      throws IOException {
    ByteBuffer scratch = SCRATCH.get();
    scratch.clear().limit(1);
    if (data.read(scratch, at + bytes - 1) < 0) {
      return false;
    }
    if (!PageCache.isResident(descriptor, at, bytes)) {
      scratch.clear().limit(bytes);
      return data.read(scratch, at) > 0;
    }
    return true;
  }

  private synchronized long at() {
    return position;
  }

  private synchronized long limit() {
    return limit;
  }

  /** Goes on after what was read; returns the number of bytes to read next. */
  private synchronized int next(int read) {
    position += read;
    notifyAll();
    return stopped ? 0 : (int) Math.min(PIECE_BYTES, limit - position);
  }

  private synchronized void finished() {
    running = false;
    notifyAll();
  }

  /** The stream needs no more. */
  void stop() {
    stopped = true;
    queue.cancel(ticket);
  }
}
