// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.hdfs.datanode.scheduler;

import java.io.FileDescriptor;
import java.util.function.BooleanSupplier;
import org.hadoopprio.IoPriority;
import org.hadoopprio.disktime.DiskClass;
import org.hadoopprio.hdfs.wire.RefusedReadException;
import org.hadoopprio.linux.DescriptorNumber;
import org.hadoopprio.linux.FileExtent;

/** A real-time read, which passes the gate before it opens its files and before each later part. */
final class RealtimeRead extends ScheduledRead {

  /** Where the read begins in the block; negative before its first packet. */
  private long start = -1;

  /** Where it passes the gate again. */
  private long partEnd;

  /** Whether all before that has been read into the page cache. */
  private boolean partInMemory;

  /** What HDFS's pool is about to read ahead; 0 if nothing, as for a short read. */
  private long poolBytes;

  /** Whether it has no place at the disk, because all of its data was in the page cache. */
  private boolean passedByCache;

  /** Whether it is away from the disk up to a packet that is not in memory. */
  private boolean pausedForCache;

  /** Whether it is one of the real-time reads that go on. */
  private boolean counted;

  RealtimeRead(VolumeQueue queue, SchedulerSettings settings, IoPriority priority) {
    super(queue, settings, new Ticket(priority, settings.limits().weight(priority), null));
  }

  @Override
  void open() throws RefusedReadException {
    long expected = mayRefuse() ? queue.lateNanos(ticket) : 0;
    // The disk may hang, and whoever opens a file on it, too.
    if (expected > 0 && !isCachedAndKnown()) {
      throw RefusedReadException.expected(queue.volume(), expected);
    }
    if (expected > 0) {
      ticket.clearDeadline();
    }
    counted = true;
    queue.realtimeReaders().begun();
    enterPart(true, () -> passedByCache = isCachedAndKnown());
  }

  /** It is about to use the disk for its next part, or to open its files. */
  private void enterPart(boolean opening, BooleanSupplier isCached) {
    ticket.setContinues(!opening && !passedByCache);
    passedByCache = false;
    queue.enterRealtime(ticket, opening, isCached);
  }

  @Override
  void use(long offset, long end, CachedData data, long now) {
    boolean first = start < 0;
    start = first ? offset : start;
    if (offset < partEnd && partInMemory) {
      // What it has itself read must not count as cached.
      return;
    }
    if (pages.look(offset, end, data)) {
      pausedForCache = true;
      queue.pauseRealtime(ticket);
      return;
    }
    boolean nextPart = first || offset >= partEnd;
    if (nextPart && queue.hasLower()) {
      ticket.setPlace(place(offset, data.file()));
    }
    if (nextPart) {
      beginPart(offset, end, data.file());
    }
    if (nextPart && (!first || passedByCache)) {
      pausedForCache = false;
      enterPart(false, () -> false);
      if (isClientGone()) {
        return;
      }
    }
    if (pausedForCache) {
      pausedForCache = false;
      queue.resumeRealtime(ticket);
    } else {
      queue.openedRealtime(ticket);
    }
    if (nextPart) {
      readPart(offset, end, data.file());
    }
  }

  /** A part begins; how long it is depends on whether others want the disk. */
  private void beginPart(long offset, long end, FileDescriptor file) {
    boolean longer = !pages.kernelReadsAhead() && file != null && offset > start;
    long bytes = longer ? queue.partBytes(offset - start) : REALTIME_BYTES;
    partEnd = Math.min(end, offset + bytes);
    ticket.setParts((int) Math.max(1, (partEnd - offset) / REALTIME_BYTES));
  }

  /**
   * Reads the part. While others want the disk, all of it is read before any of it is sent: so the
   * read is at the disk for just as long as the disk works for it, however slow its client is.
   */
  private void readPart(long offset, long end, FileDescriptor file) {
    long bytes = partEnd - offset;
    queue.counters().moved(DiskClass.REALTIME, bytes);
    partInMemory = !pages.kernelReadsAhead() && pages.load(offset, bytes, file);
    if (!partInMemory) {
      return;
    }
    pausedForCache = true;
    if (partEnd < end) {
      queue.sendsRealtime(ticket);
    } else {
      queue.doneRealtime(ticket);
    }
  }

  private static long place(long offset, FileDescriptor file) {
    return file == null
        ? FileExtent.UNKNOWN
        : FileExtent.of(DescriptorNumber.of(file), offset).place(offset);
  }

  @Override
  void suspend() {
    if (!pausedForCache) {
      queue.pauseRealtime(ticket);
    }
  }

  @Override
  void leave() {
    suspend();
    pausedForCache = true;
  }

  @Override
  void resume() {
    // Not for what comes from memory: whoever uses the disk ends the turn of a stream.
    pausedForCache = pausedForCache || partInMemory;
    if (!pausedForCache) {
      queue.resumeRealtime(ticket);
    }
  }

  @Override
  long readaheadBytes(long asked) {
    poolBytes = asked;
    return super.readaheadBytes(asked);
  }

  @Override
  boolean isAlone(long now) {
    return !queue.isBesideOthers(now, poolBytes);
  }

  @Override
  void leaveDisk() {
    if (counted) {
      counted = false;
      queue.realtimeReaders().ended();
    }
    queue.doneRealtime(ticket);
  }
}
