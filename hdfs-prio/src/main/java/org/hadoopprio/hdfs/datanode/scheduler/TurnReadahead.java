// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.hdfs.datanode.scheduler;

import java.io.FileDescriptor;
import java.io.IOException;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.hadoop.io.IOUtils;
import org.hadoopprio.IoPriority;
import org.hadoopprio.linux.DescriptorNumber;
import org.hadoopprio.linux.PageCache;
import org.hadoopprio.linux.ThreadIoPriority;
import org.hadoopprio.log.RateLimitedLog;
import org.hadoopprio.metrics.PriorityMetrics;
import org.slf4j.LoggerFactory;

/**
 * Reads the data of one stream into the page cache in the stream's turns, ahead of the thread that
 * sends it. So a turn lasts as long as the disk has something to read for it, whatever the client's
 * speed, and the disk serves the next stream while the client takes what is in memory.
 *
 * <p>It is at most as far ahead as the client has come, or {@link #FIRST_BYTES}, and at most a
 * turn: a client that stops early has cost no more than it used. Thread-safe.
 */
final class TurnReadahead {

  /**
   * The bytes of one request. Two are at the disk together: a real-time read that comes waits for
   * them, but with one alone the disk would stand still until the next one is asked for.
   */
  static final int PIECE_BYTES = 256 << 10;

  /** What HDFS reads ahead of a client by default (dfs.datanode.readahead.bytes). */
  static final long FIRST_BYTES = 4 << 20;

  /**
   * The thread that sends goes on when this much has been read ahead, or when the disk is left to
   * others: with a packet or two at a time, both threads and the client would wake up each other
   * all the time.
   */
  private static final long SENT_TOGETHER_BYTES = 1 << 20;

  /** How often what was read ahead is looked up in the page cache, which may have lost it. */
  private static final long CHECKED_BYTES = 1 << 20;

  /** How often the checksums are looked up in the page cache, in bytes of data. */
  private static final long SUMS_CHECKED_BYTES = 4 << 20;

  /**
   * The checksums of 16 MiB of data, by default; a turn reads less. A kernel reads at least this
   * much with one advice, unless read_ahead_kb was made smaller.
   */
  private static final long SUMS_AHEAD_BYTES = 128 << 10;

  private static final long PAGE_BYTES = 4 << 10;

  /** Those of a block of 1 GiB. */
  private static final long MAX_SUMS_BYTES = 8 << 20;

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
  private long most = Long.MAX_VALUE;

  private boolean running;

  /** Whether it has had the turns that it has asked for since the client came. */
  private boolean hasTurns = true;

  private volatile boolean broken;
  private volatile boolean stopped;

  /**
   * Describes what to read ahead; nothing is read before {@link #reach}.
   *
   * @param ticket of the stream, used by nobody else
   * @param start where the stream is in the block, in bytes
   * @param end of the stream in the block, in bytes
   */
  TurnReadahead(VolumeQueue queue, IoPriority priority, Ticket ticket, long start, long end) {
    this.queue = queue;
    this.priority = priority;
    this.ticket = ticket;
    this.start = start;
    this.end = end;
    this.position = start;
    this.checkedUntil = start;
  }

  /** Whether it reads at that priority; null for none. */
  boolean isAt(IoPriority other) {
    return Objects.equals(priority, other);
  }

  /** Whether it has read something that the client has not yet, or is about to. */
  synchronized boolean isAhead(long offset) {
    return running || offset < position;
  }

  /** Whether its client may have come to an offset: one that does not tell of each read. */
  synchronized boolean covers(long offset) {
    return offset >= consumed && offset <= position;
  }

  /** Whether it has read all data before an offset. */
  synchronized boolean has(long offset) {
    return position >= Math.min(end, offset);
  }

  /**
   * Waits until the data at an offset has been read ahead. The stream's thread calls this before
   * each packet.
   *
   * @param length how much of it is needed, in bytes
   * @param source the open file of the block
   * @param checksums the open file of the block's checksums; null if it is not known
   * @param until when the wait ends at the latest, of the queue's clock: several turns may be
   *     needed, and the client waits for all of them
   * @return false if it was not, so that the thread has to read for itself
   */
  boolean reach(
      long offset, int length, FileDescriptor source, FileDescriptor checksums, long until) {
    long needed = Math.min(end, offset + length);
    Run run = come(offset, length, source, checksums);
    do {
      if (run != null) {
        run.begin();
      }
      run = await(offset, needed, source, checksums, until);
    } while (run != null);
    return has(needed);
  }

  /** The client has come to an offset; returns what has to begin to read, or null. */
  private synchronized Run come(
      long offset, int length, FileDescriptor source, FileDescriptor checksums) {
    consumed = offset;
    hasTurns = true;
    if (offset >= checkedUntil && offset < position) {
      check(offset, source);
    }
    limit = Math.min(end, offset + Math.max(window(), length));
    return position - offset <= window() / 2 ? start(offset, source, checksums) : null;
  }

  /** Waits while it reads; returns what has to begin again after that, or null. */
  private synchronized Run await(
      long offset, long needed, FileDescriptor source, FileDescriptor checksums, long until) {
    try {
      while (position < needed && running) {
        long left = until - queue.now();
        if (left <= 0 || ticket.client.isGone()) {
          return null;
        }
        TimeUnit.NANOSECONDS.timedWait(this, ticket.client.untilLook(left));
        ticket.client.look();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return null;
    }
    return position < needed && hasTurns ? start(offset, source, checksums) : null;
  }

  private void check(long offset, FileDescriptor source) {
    long length = Math.min(CHECKED_BYTES, position - offset);
    checkedUntil = offset + length;
    if (!running && !PageCache.isResident(DescriptorNumber.of(source), offset, length)) {
      position = offset;
      most = Math.max(CHECKED_BYTES, window() / 2);
    }
  }

  private long window() {
    long turn = Math.min(most, queue.turnBytes(ticket));
    return Math.min(turn, Math.max(FIRST_BYTES, consumed - start));
  }

  /** Returns what has to begin to read; null if it reads, or cannot. */
  private synchronized Run start(long offset, FileDescriptor source, FileDescriptor checksums) {
    if (running) {
      return null;
    }
    position = Math.max(position, offset);
    if (broken || stopped || position >= limit) {
      return null;
    }
    CachedFile data = null;
    CachedFile sums = null;
    try {
      data = CachedFile.open(source);
      if (checksums != null) {
        sums = CachedFile.open(checksums);
      }
      running = true;
      return new Run(data, sums);
    } catch (IOException | RuntimeException | LinkageError e) {
      IOUtils.closeStreams(data, sums);
      failed(e);
      return null;
    }
  }

  /** Nothing more is read ahead: the stream reads for itself. */
  private void failed(Throwable e) {
    broken = true;
    PriorityMetrics.FAILED.increment();
    LOG.warn("A stream reads nothing ahead in its turns: " + e);
  }

  /** Reads ahead until it may go no further, in one turn of the stream or in several. */
  private final class Run implements TurnWork {

    private final CachedFile data;

    /** The checksums, which are read ahead, too; null if they are not known. */
    private final CachedFile sums;

    /** Up to where the kernel was made to read data. */
    private long advised;

    /** Up to which offset of the data they were in the page cache. */
    private long sumsKnownUntil;

    /** Which part of the checksums has yet to be read. */
    private long sumsAt;

    private long sumsEnd;

    /** Whether it has made a request since it was let in. */
    private boolean hasRequested;

    /**
     * Whether it waits for a turn, and whoever takes this back has the work: the thread that is to
     * do it, or the one that has failed to ask.
     */
    private final AtomicBoolean waits = new AtomicBoolean();

    Run(CachedFile data, CachedFile sums) {
      this.data = data;
      this.sums = sums;
    }

    /** Asks for a turn, unless all is in the page cache. On the thread that sends. */
    void begin() {
      boolean asks = false;
      try {
        asks = seek(0) > 0;
      } catch (RuntimeException | LinkageError e) {
        failed(e);
      } finally {
        goOn(asks);
      }
    }

    @Override
    public void inTurn() {
      if (!waits.getAndSet(false)) {
        return;
      }
      boolean asks = false;
      try {
        ThreadIoPriority.settle(priority);
        hasRequested = false;
        asks = read();
      } catch (IOException | RuntimeException | LinkageError e) {
        // The stream's own read meets an error of the disk, too, and reports it to the client.
        failed(e);
      } finally {
        goOn(asks);
      }
    }

    @Override
    public void withoutTurn() {
      if (waits.getAndSet(false)) {
        leave(false);
      }
    }

    private void goOn(boolean asks) {
      boolean asked = false;
      waits.set(asks);
      try {
        if (asks) {
          send();
          queue.whenItHasATurn(ticket, this);
          // From here on another thread may do the work.
          if (stopped) {
            queue.cancel(ticket);
          }
          asked = true;
        }
      } catch (RuntimeException | LinkageError e) {
        failed(e);
      } finally {
        // Whatever has happened, such as that there is no memory: the stream waits for this.
        if (!asks || (!asked && waits.getAndSet(false))) {
          leave(!asks);
        }
      }
    }

    private void leave(boolean hadTurn) {
      try {
        IOUtils.closeStreams(data, sums);
        // It may wait for a turn that it will not use.
        queue.cancel(ticket);
      } catch (RuntimeException | LinkageError e) {
        failed(e);
      } finally {
        finished(hadTurn);
      }
    }

    /** Goes on to what is not in the page cache; returns its length, or 0 if that is all. */
    private int seek(int read) {
      int bytes = next(read);
      // What was advised is in the page cache, too, but may not have been read yet.
      while (bytes > 0 && at() >= advised && data.isCached(at(), bytes)) {
        bytes = next(bytes);
      }
      if (bytes > 0) {
        ticket.setPlace(data.place(at()));
      }
      return bytes;
    }

    /**
     * Whether it may make its next request. The first is what it was let in for: whoever gave it
     * back would be let in again at once, as long as a real-time read hangs, and its turn would
     * pass.
     */
    private boolean mayRequest() {
      boolean first = !hasRequested;
      hasRequested = true;
      return first || queue.mayContinue(ticket, queue.now());
    }

    /** Reads in a turn; returns whether there is more to read in the next one. */
    private boolean read() throws IOException {
      for (int bytes = seek(0); bytes > 0; bytes = seek(bytes)) {
        long at = at();
        // A client that has taken some of the data seems to want more of it.
        if (sums != null && at >= sumsKnownUntil && consumed() > start) {
          findSums(at);
        }
        if (!readSums() || !mayRequest()) {
          return true;
        }
        if (advised <= at) {
          data.advise(at, bytes);
        }
        long after = Math.max(advised, at + bytes);
        advised = Math.min(at + bytes + PIECE_BYTES, limit());
        if (advised > after) {
          data.advise(after, advised - after);
        }
        if (!data.await(at, bytes)) {
          // The file is shorter than it was.
          broken = true;
          return false;
        }
        ticket.readFromDisk(bytes);
      }
      return false;
    }

    /**
     * Finds out which checksums have to be read: those of all that follows in the block, unless
     * those of the next data are in the page cache. They are in another place than the data, and
     * the kernel's own readahead of 128 KiB would make the disk go there again and again, also
     * outside of the stream's turns.
     */
    private void findSums(long at) throws IOException {
      sumsKnownUntil = at + SUMS_CHECKED_BYTES;
      long all = sums.size();
      double perByte = (double) all / Math.max(1, data.size());
      long from = (long) (perByte * Math.min(at, consumed())) & -PAGE_BYTES;
      long needed = Math.min((long) (perByte * at) + SUMS_AHEAD_BYTES, all) - from;
      if (needed > 0 && !sums.isCached(from, needed)) {
        sumsAt = from;
        sumsEnd = Math.min(all, from + MAX_SUMS_BYTES);
      }
    }

    /**
     * Reads them; returns false if the turn has ended before. Each is read twice: so the kernel
     * regards it as in use, and a page cache that the data of streams runs through keeps most of
     * them until they are needed (mark_page_accessed, mm/swap.c).
     */
    private boolean readSums() throws IOException {
      while (sumsAt < sumsEnd) {
        int bytes = (int) Math.min(PIECE_BYTES, sumsEnd - sumsAt);
        if (!sums.isCached(sumsAt, bytes)) {
          if (!mayRequest()) {
            return false;
          }
          sums.advise(sumsAt, bytes);
        }
        sums.read(sumsAt, bytes);
        sums.read(sumsAt, bytes);
        sumsAt += bytes;
      }
      return true;
    }
  }

  /**
   * Reads the first checksums of a block into the page cache together with their header, those of
   * 16 MiB of data: the kernel's own readahead begins with less, and goes there several times.
   */
  static void adviseFirst(FileDescriptor checksums) {
    PageCache.advise(DescriptorNumber.of(checksums), 0, SUMS_AHEAD_BYTES);
  }

  private synchronized long at() {
    return position;
  }

  private synchronized long consumed() {
    return consumed;
  }

  private synchronized long limit() {
    return limit;
  }

  /** Goes on after what was read; returns the number of bytes to read next. */
  private synchronized int next(int read) {
    position += read;
    if (position - consumed >= SENT_TOGETHER_BYTES) {
      notifyAll();
    }
    return stopped ? 0 : (int) Math.min(PIECE_BYTES, limit - position);
  }

  /** Lets the thread that sends go on with what was read ahead. */
  private synchronized void send() {
    notifyAll();
  }

  private synchronized void finished(boolean hadTurn) {
    running = false;
    hasTurns = hadTurn;
    notifyAll();
  }

  /** The stream needs no more. */
  void stop() {
    stopped = true;
    queue.cancel(ticket);
  }
}
