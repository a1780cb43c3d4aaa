// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.hdfs.datanode.scheduler;

import java.io.FileDescriptor;
import java.io.IOException;
import java.util.function.BooleanSupplier;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.FsVolumeSpi;
import org.apache.hadoop.io.IOUtils;
import org.hadoopprio.IoClass;
import org.hadoopprio.IoPriority;
import org.hadoopprio.disktime.Owner;
import org.hadoopprio.linux.DescriptorNumber;
import org.hadoopprio.linux.WriteBack;
import org.hadoopprio.log.RateLimitedLog;
import org.hadoopprio.metrics.PriorityMetrics;
import org.slf4j.LoggerFactory;

/**
 * Brings to the disk what one write of a block has put into the page cache. What the kernel writes
 * back on its own, it writes at no priority, in long runs that reads wait behind, and, beside
 * real-time reads that never pause, not at all.
 *
 * <ul>
 *   <li>While reads want the disk of a volume in mode {@code turns}, a thread writes the data in
 *       turns, which the write takes like a stream that reads, at its priority. The thread that
 *       receives the block does not wait for it until the volume's {@link WriteBacklog} is full, so
 *       a client that wants its data in memory only (hflush) does not wait for the disk.
 *   <li>Otherwise the receiving thread tells the kernel to write, and waits only if the disk's
 *       queue is full. So do real-time writes always. A write without a priority is left to the
 *       kernel, as in stock HDFS.
 * </ul>
 *
 * <p>{@link #written} and {@link #finish} are called by the thread that receives the block. It
 * waits for the one that closes the block's files, which may sync them.
 */
public final class ScheduledWrite {

  /** The bytes of one request. */
  static final int PIECE_BYTES = 256 << 10;

  private static final long NONE = -1;

  private static final RateLimitedLog LOG =
      new RateLimitedLog(LoggerFactory.getLogger(ScheduledWrite.class));

  /** Null if it takes no turns. */
  private final VolumeQueue queue;

  private final WriteBacklog backlog;
  private final IoPriority priority;
  private final long behind;
  private final WrittenFile.Opener opener;
  private final WriteTurns turns;

  /** For syncs, which are short and for which a client waits. */
  private final Ticket sync;

  private final PacketWait wait;

  /** How much has come; used by the receiving thread only, as is the next field. */
  private long received;

  /** How much had come when the receiving thread last did something. */
  private long noticed;

  /** How much had come when the sync began that is under way; {@link #NONE} without one. */
  private long syncing = NONE;

  /** Up to where the data was brought to the disk. Guarded by this, as the fields below. */
  private long position;

  /**
   * Up to where data has come while nobody read. It is written in turns when readers come, unless
   * the kernel has written it, but nobody waits for it.
   */
  private long alone;

  /** Up to where there is data. */
  private long end;

  /** What of it is in the volume's {@link WriteBacklog}; read without the lock, too. */
  private volatile long counted;

  /** The block's file, opened once more; null before there is much data, and after the end. */
  private WrittenFile data;

  private boolean running;
  private boolean finished;
  private boolean broken;

  /**
   * Describes a write.
   *
   * @param queue null if it takes no turns
   * @param backlog of the volume; null if it takes no turns
   * @param weight of its priority, for its turns
   * @param longestWaitNanos how long a packet may wait
   */
  ScheduledWrite(
      VolumeQueue queue,
      WriteBacklog backlog,
      IoPriority priority,
      double weight,
      long longestWaitNanos,
      long from,
      long behind,
      WrittenFile.Opener opener) {
    this.queue = queue;
    this.backlog = backlog;
    this.priority = priority;
    this.behind = behind;
    this.opener = opener;
    this.received = from;
    this.noticed = from;
    this.position = from;
    this.alone = from;
    this.end = from;
    this.turns = new WriteTurns(this, queue, backlog, priority, weight);
    this.wait = new PacketWait(queue, longestWaitNanos);
    this.sync = new Ticket(priority, weight, null);
    this.sync.longestWaitNanos = longestWaitNanos;
    this.sync.setSyncs();
  }

  private void setOwner(Owner owner) {
    turns.setOwner(owner);
    sync.setOwner(owner);
  }

  /**
   * A write that begins; null if its data is left to the kernel in any case.
   *
   * @param volume of the replica
   * @param hadoops the same as Hadoop knows it; null if it is not known
   * @param request that it is a part of
   * @param patienceMillis of the client, which it has stated; 0 if it states none
   * @param from how long the replica is, in bytes
   * @param behind how much data may be in the page cache only before something is done about it, in
   *     bytes; 0 for any amount
   */
  public static ScheduledWrite of(
      Volume volume,
      FsVolumeSpi hadoops,
      DiskRequest request,
      int patienceMillis,
      long from,
      long behind) {
    IoPriority priority = request.priority();
    boolean realtime = priority != null && priority.ioClass() == IoClass.REALTIME;
    VolumeQueue queue = realtime ? null : volume.queue();
    if (behind == 0 || (queue == null && priority == null)) {
      return null;
    }
    WriteBacklog backlog = queue == null ? null : queue.writes().backlog(priority);
    SchedulerSettings settings = volume.settings();
    ScheduledWrite write =
        new ScheduledWrite(
            queue,
            backlog,
            priority,
            settings.limits().weight(priority),
            settings.longestWaitNanos(patienceMillis),
            from,
            behind,
            file -> CachedFile.open(file, hadoops));
    write.setOwner(request.owner(priority));
    if (queue != null) {
      write.setInForce(volume::isInForce);
      queue.writes().add(write);
    }
    return write;
  }

  private void setInForce(BooleanSupplier sign) {
    sync.inForce = sign;
    turns.setInForce(sign);
  }

  /**
   * Data was written to the block's file. May wait until part of it is on the disk.
   *
   * @param file the block's
   * @param upTo where the data ends in the block, in bytes
   */
  public void written(FileDescriptor file, long upTo) {
    received = upTo;
    notice(file, upTo);
    wait.end();
  }

  private void notice(FileDescriptor file, long upTo) {
    if (upTo - noticed < behind) {
      if (priority != null) {
        // For the end of the block, which is brought to the disk when HDFS has closed the file.
        isOpen(file);
      }
      return;
    }
    noticed = upTo;
    if (queue != null && isOpen(file) && queue.isRead()) {
      reach(upTo);
    } else {
      startNow(file, upTo);
    }
  }

  /** Readers have come to the disk, which had none. Called by any thread. */
  synchronized void readersCame() {
    if (data != null && !finished && end - position >= behind) {
      start();
    }
  }

  private void startNow(FileDescriptor file, long upTo) {
    long from;
    boolean starts;
    synchronized (this) {
      from = position;
      end = upTo;
      alone = upTo;
      starts = priority != null && !running;
      position = starts ? upTo : from;
      count();
    }
    if (starts) {
      // May wait for the disk's queue; a thread that comes to start turns does not wait with it.
      WriteBack.start(DescriptorNumber.of(file), from, upTo - from);
    }
  }

  private synchronized boolean isFinished() {
    return finished;
  }

  private synchronized boolean isOpen(FileDescriptor file) {
    if (data == null && !broken) {
      try {
        data = opener.open(file);
      } catch (IOException | RuntimeException | LinkageError e) {
        failed(e);
      }
    }
    return !broken;
  }

  synchronized void failed(Throwable e) {
    giveUp();
    PriorityMetrics.FAILED.increment();
    LOG.warn("A write does not take turns: " + e);
  }

  private void reach(long upTo) {
    long turn = Math.max(2 * behind, turns.bytes());
    synchronized (this) {
      end = upTo;
      if (end - position >= turn / 2) {
        start();
      }
      count();
    }
    wait.goOn();
    backlog.waitWhile(() -> counted > turn && backlog.isFull(), wait.left());
  }

  /** Counts how much of what came while others read is in the page cache only. */
  private void count() {
    if (queue != null) {
      boolean left = broken || data == null;
      long now = left ? 0 : Math.max(0, end - Math.max(position, alone));
      long before = counted;
      counted = now;
      backlog.change(before, now);
    }
  }

  /**
   * A sync of the block's files begins, unless it has begun. May wait; {@link #syncEnds} must
   * follow. The thread may be another one, for which the one that receives waits.
   *
   * @param file the block's
   */
  public void syncBegins(FileDescriptor file) {
    if (syncing != NONE || isFinished()) {
      return;
    }
    syncing = received;
    if (queue != null && isOpen(file) && queue.isRead()) {
      wait.begin();
      drain();
      queue.enter(sync, () -> false, wait.until());
    }
  }

  /**
   * Of a sync, after {@link #syncBegins}: brings data and checksums to the disk together.
   *
   * <p>HDFS syncs one file after the other, the checksums first, and each makes the file system
   * commit its journal. If the data is on the disk by then, its new extents are in the first
   * commit, and the second one has nothing to do. On a disk without a write cache that saves three
   * of six turns of the platter.
   *
   * @param checksums their file, which is about to be synced
   */
  public void writeTogether(FileDescriptor checksums) {
    WrittenFile file = queue == null ? null : data();
    if (file != null) {
      file.startWrite(0, WriteBack.TO_THE_END);
      WriteBack.start(DescriptorNumber.of(checksums), 0, WriteBack.TO_THE_END);
      file.awaitWritten(0, WriteBack.TO_THE_END);
    }
  }

  /** What came while nobody read, and the last of the rest, are left to the sync. */
  private void drain() {
    synchronized (this) {
      position = Math.max(position, alone);
      if (counted >= behind) {
        start();
      }
    }
    backlog.waitWhile(() -> counted > Math.max(behind, PIECE_BYTES), wait.left());
  }

  /** The sync has ended, successful or not; does nothing without one. */
  public void syncEnds() {
    if (syncing == NONE) {
      return;
    }
    next(syncing);
    syncing = NONE;
    if (!sync.isOut()) {
      queue.done(sync);
    }
  }

  private void start() {
    if (!running && !broken) {
      running = turns.start();
      if (!running) {
        queue.counters().refused();
        leftToKernel();
      }
    }
  }

  /** Of {@link WriteTurns}, as what follows: up to where the data was brought to the disk. */
  synchronized long position() {
    return position;
  }

  /**
   * Up to where there are whole pieces. The rest is still written to: whoever does would have to
   * wait for pages on their way to the disk, and these would be written once more.
   */
  synchronized long wholeEnd() {
    return finished ? end : end - (end - position) % PIECE_BYTES;
  }

  /**
   * Goes on after what was written.
   *
   * @param upTo up to where it was, in bytes
   * @return the number of bytes to write next
   */
  synchronized int next(long upTo) {
    position = Math.max(position, upTo);
    end = Math.max(end, position);
    count();
    return nextBytes();
  }

  private int nextBytes() {
    long left = broken ? 0 : end - position;
    return left >= PIECE_BYTES || finished ? (int) Math.min(PIECE_BYTES, left) : 0;
  }

  /** Whether more has come while the turn was given back; if not, nothing runs from now on. */
  synchronized boolean goesOn() {
    running = !broken && nextBytes() > 0;
    closeIfOver();
    return running;
  }

  /** No turn has come. Nobody waits for what was to be written, and more that comes tries again. */
  synchronized void leftToKernel() {
    running = false;
    alone = end;
    count();
    closeIfOver();
  }

  /** What of it is in the volume's backlog, in bytes. */
  long counted() {
    return counted;
  }

  /** The block's file, while it takes turns. */
  synchronized WrittenFile data() {
    return data;
  }

  private void closeIfOver() {
    if (!running && finished) {
      close();
    }
  }

  /** The disk has failed. The receiving thread, or whoever syncs the file, will see it, too. */
  synchronized void giveUp() {
    broken = true;
    count();
  }

  /** What of it is not on the disk, and what may come, is left to the kernel; nobody waits. */
  public void leaveToKernel() {
    if (queue != null) {
      queue.writes().remove(this);
    }
    synchronized (this) {
      giveUp();
      finished = true;
      closeIfOver();
    }
  }

  private void close() {
    IOUtils.closeStreams(data);
    data = null;
    count();
  }

  /**
   * All data has come, or the write has failed. What is left is written in turns, without making
   * the thread wait, if it is {@code behind} or more; the kernel is told to write less than that at
   * the write's priority, and without one it is left to the kernel.
   */
  public void finish() {
    syncEnds();
    boolean takesTurns = false;
    if (queue != null) {
      queue.writes().remove(this);
      takesTurns = queue.isRead();
    }
    finish(takesTurns);
  }

  private synchronized void finish(boolean takesTurns) {
    finished = true;
    end = received;
    count();
    long left = end - position;
    if (data != null && !running && left > 0) {
      if (takesTurns && left >= behind) {
        start();
      } else if (priority != null) {
        // Files that wait for a turn stay open, and anybody may write many short ones.
        data.startWrite(position, left);
      }
    }
    closeIfOver();
  }
}
