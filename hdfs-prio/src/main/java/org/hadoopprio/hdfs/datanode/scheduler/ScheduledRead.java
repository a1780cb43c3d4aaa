// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.hdfs.datanode.scheduler;

import java.io.FileDescriptor;
import java.util.function.BooleanSupplier;
import org.hadoopprio.IoClass;
import org.hadoopprio.IoPriority;
import org.hadoopprio.disktime.DiskClass;
import org.hadoopprio.disktime.Stream;
import org.hadoopprio.hdfs.wire.RefusedReadException;
import org.hadoopprio.linux.DescriptorNumber;
import org.hadoopprio.linux.FileExtent;
import org.hadoopprio.linux.PageCache;
import org.hadoopprio.linux.ThreadIoPriority;

/**
 * One read of a block, from its first use of the disk to its last, as its thread goes through it.
 * Used by that thread only.
 */
final class ScheduledRead {

  /**
   * A real-time read passes the gate each time it has read this much: an HBase Get passes it once.
   */
  static final long REALTIME_BYTES = StreamTable.SHORT_BYTES;

  /**
   * The least of a later part of a real-time read that goes on while others want the disk: it is
   * sequential, and that much of it is read at once ({@link VolumeQueue#partBytes}).
   */
  static final long CONTINUED_BYTES = 1 << 20;

  /** How far ahead data must be in the page cache for a read to go on without its turn. */
  private static final long CACHED_AHEAD_BYTES = 1 << 20;

  /**
   * A checksum of 4 bytes for each 512 bytes of data: HDFS's default; else a page may be missed.
   */
  private static final int DATA_TO_SUMS = 128;

  /**
   * At what an idle read opens its files. Whoever opens files has no turn, and mq-deadline keeps
   * the idle class from the drive for as long as a request of others is there: for 10 s
   * (prio_aging_expire, block/mq-deadline.c).
   */
  private static final IoPriority OPENS_AT = IoPriority.bestEffort(IoPriority.LOWEST_LEVEL);

  private final VolumeQueue queue;
  private final SchedulerSettings settings;
  private final IoPriority priority;
  private final Ticket ticket;

  /** When all of its waits end, if not before. */
  private long timeEnds = Long.MAX_VALUE;

  /** From when on its packets wait for no turn, but for a time to read without one. */
  private long hurriesAt = Long.MAX_VALUE;

  /** How far the read may go without asking because its data is in the page cache. */
  private long cachedUntil;

  /** Where the read begins in the block; negative before its first packet. */
  private long start = -1;

  /** Where a real-time read passes the gate again. */
  private long partEnd;

  /** Whether all before that has been read into the page cache. */
  private boolean partInMemory;

  /** Up to where the kernel was made to read for a short read. */
  private long advisedUntil;

  /** Whether the kernel reads ahead of the open file by itself, as in stock HDFS. */
  private boolean kernelReadsAhead = true;

  /** What HDFS's pool is about to read ahead; 0 if nothing, as for a short read. */
  private long poolBytes;

  /** Reads ahead for a stream that shares the disk; null if it has not yet. */
  private TurnReadahead readahead;

  /** The open file of the replica's checksums; null if it is not known. */
  private FileDescriptor checksums;

  /**
   * Whether all data of the read is in the page cache, found out before its files are open and
   * without use of the disk; asked only if it would have to wait, be held, or be refused.
   */
  private BooleanSupplier cachedAndKnown = () -> false;

  private boolean mayRefuse;

  /** Whether it has no place at the disk, because all of its data was in the page cache. */
  private boolean passedByCache;

  private boolean begun;
  private boolean opening;

  /** The thread's I/O priority, which it gets back when the files are open. */
  private int priorityToRestore = ThreadIoPriority.UNCHANGED;

  private boolean beginsBlock;
  private boolean withoutReadBlock;
  private boolean inPacket;

  /** Whether it is away from the disk up to a packet that is not in memory. */
  private boolean pausedForCache;

  /** Whether it is one of the real-time reads that go on. */
  private boolean counted;

  /** Whether the packet may use the disk, and so loses its place when it waits for the client. */
  private boolean asked;

  /** How long the packet may still wait for turns: its client waits for the sum. */
  private long packetNanos;

  /** Whether the data of the packet that asked is in the page cache. */
  private BooleanSupplier inCache;

  /**
   * Describes a read.
   *
   * @param priority what the read was granted; null for none
   * @param stream the stream it belongs to; null for a short read
   */
  ScheduledRead(VolumeQueue queue, SchedulerSettings settings, IoPriority priority, Stream stream) {
    this.queue = queue;
    this.settings = settings;
    this.priority = priority == null ? null : priority.withoutTarget();
    boolean realtime = priority != null && priority.ioClass() == IoClass.REALTIME;
    this.ticket =
        new Ticket(priority, settings.limits().weight(priority), realtime ? null : stream);
    this.ticket.longestWaitNanos = settings.longestWaitNanos(0);
  }

  /**
   * Sets when the read should be answered, and how long its client is patient.
   *
   * @param granted has the latency target, which counts from now; null for none
   */
  void setTarget(IoPriority granted, BlockRead what) {
    ticket.setTarget(granted, what.following(), queue.now());
    if (!ticket.isRealtime()) {
      // Real-time keeps to its share, however little time its client has.
      long own = ticket.longestWaitNanos;
      ticket.longestWaitNanos = settings.longestWaitNanos(what.patienceMillis());
      ticket.impatient = ticket.longestWaitNanos < own;
    }
    cachedAndKnown = what::isCachedAndKnown;
    mayRefuse = what.mayRefuse();
  }

  /** Sets how long its packets may wait together, in nanoseconds, beginning now. */
  void setTime(long nanos) {
    timeEnds = queue.now() + nanos;
  }

  /** Sets for how long its packets may wait for turns, in nanoseconds of the clock, from now. */
  void setHurry(long nanos) {
    hurriesAt = queue.now() + nanos;
  }

  /** Whether it has had that time, and so must not wait any more. */
  boolean isOutOfTime() {
    return queue.now() >= timeEnds;
  }

  /** Sets for whom it reads; whoever waits looks whether the client is still there. */
  void setClient(ClientConnection client) {
    ticket.client = client;
  }

  /** Whether the client was gone when the read waited last; then it must read nothing more. */
  boolean isClientGone() {
    return ticket.client.isGone();
  }

  /** The read begins where the block does. */
  void setBeginsBlock() {
    beginsBlock = true;
  }

  /** Nobody tells when the read has failed: no readBlock is around it. */
  void setWithoutReadBlock() {
    withoutReadBlock = true;
  }

  /** Sets whether reads of its volume take turns at present. */
  void setInForce(BooleanSupplier sign) {
    ticket.inForce = sign;
  }

  /** Whether reads of its volume still take turns. */
  boolean isInForce() {
    return ticket.inForce.getAsBoolean();
  }

  boolean isWithoutReadBlock() {
    return withoutReadBlock;
  }

  /**
   * Whether the read is known to go on. One without a readBlock may have failed with its last
   * packet, and its thread may do something else since.
   */
  boolean isGoingOn() {
    return inPacket || !withoutReadBlock;
  }

  /** The read has opened the file of the replica's checksums, and is about to read its header. */
  void setChecksums(FileDescriptor file) {
    checksums = file;
    if (ticket.stream() != null && beginsBlock) {
      TurnReadahead.adviseFirst(file);
    }
  }

  /**
   * The read is about to open the replica's files. A real-time read may have to wait here.
   *
   * @throws RefusedReadException if it may be refused, and would miss its latency target
   */
  void begin() throws RefusedReadException {
    begun = true;
    queue.setLimits(settings.limits());
    if (ticket.isRealtime()) {
      long expected = mayRefuse ? queue.lateNanos(ticket) : 0;
      // The disk may hang, and whoever opens a file on it, too.
      if (expected > 0 && !cachedAndKnown.getAsBoolean()) {
        throw RefusedReadException.expected(queue.volume(), expected);
      }
      if (expected > 0) {
        ticket.clearDeadline();
      }
      counted = true;
      queue.realtimeReaders().begun();
      enterPart(true, () -> passedByCache = cachedAndKnown.getAsBoolean());
    } else {
      if (ticket.isIdleClass() && queue.mayOpenAboveIdle()) {
        priorityToRestore = ThreadIoPriority.apply(OPENS_AT);
      }
      if (ticket.stream() != null && !withoutReadBlock) {
        opening = true;
        queue.streamOpening(ticket);
      }
    }
  }

  /** Or else it is a transfer that connects to the other DataNode. */
  boolean isBegun() {
    return begun;
  }

  private void endOpening() {
    ThreadIoPriority.restore(priorityToRestore);
    priorityToRestore = ThreadIoPriority.UNCHANGED;
    if (opening) {
      opening = false;
      queue.streamOpened(ticket);
    }
  }

  /** A real-time read is about to use the disk for its next part, or to open its files. */
  private void enterPart(boolean opening, BooleanSupplier isCached) {
    ticket.setContinues(!opening && !passedByCache);
    passedByCache = false;
    queue.enterRealtime(ticket, opening, isCached);
  }

  /**
   * The read is about to read a packet, and waits until it may.
   *
   * @param offset of the packet in the block, in bytes
   * @param end of the read in the block, in bytes
   * @param data knows what is in the page cache
   */
  void packet(long offset, long end, CachedData data) {
    inPacket = true;
    asked = false;
    packetNanos = 0;
    endOpening();
    long now = queue.now();
    // Also of who finds its data in the page cache: the kernel would go on there by itself.
    letKernelReadAhead(isAlone(now), data.file());
    if (offset < cachedUntil) {
      return;
    }
    if (ticket.isRealtime()) {
      realtimePacket(offset, end, data);
    } else {
      lowerPacket(offset, end, data, now);
    }
  }

  /**
   * Waits for a turn; who has no time left reads without one, as far as {@link HastyReads} lets.
   */
  private void lowerPacket(long offset, long end, CachedData data, long now) {
    if (now >= timeEnds) {
      return;
    }
    long longest = Math.max(0, Math.min(ticket.longestWaitNanos, hurriesAt - now));
    long until = Math.min(now + longest, timeEnds);
    ticket.impatient |= until < now + settings.longestWaitNanos(0);
    if (isReadAhead(offset, end, data, until) || isClientGone()) {
      return;
    }
    inCache = () -> isCached(offset, end, data);
    lowerPacket(until);
    long last = Math.min(now + VolumeQueue.MAX_WAIT_NANOS, timeEnds);
    if (isOverdue(until) && until < last) {
      until = waitOn(until, last);
    }
    if (isClientGone()) {
      return;
    }
    packetNanos = Math.max(0, until - queue.now());
    if (isOverdue(until)) {
      // It has no place at the disk to lose, and waits no more.
      asked = false;
      readWithoutTurn(offset, end, data.file());
    } else {
      advise(offset, end, data.file());
      // What the packet has asked for may have come while it waits for its client.
      long advised = Math.min(StreamTable.SHORT_BYTES, end - offset);
      inCache = () -> data.isCached(offset, advised);
    }
  }

  /**
   * Waits until it may read without a turn; returns when that is. Whose client would be gone by
   * then leaves the time to others, and waits for its turn for as long as any read may.
   */
  private long waitOn(long until, long last) {
    HastyReads others = queue.hastyReads();
    long now = queue.now();
    long at = others.next(now, Math.min(last, until + ticket.longestWaitNanos));
    long end = Math.min(at, last);
    if (end > now) {
      lowerPacket(end);
      if (at == end && !isOverdue(end)) {
        others.giveBack();
      }
    }
    return end;
  }

  /** Whether the packet has waited until then, and has no turn. */
  private boolean isOverdue(long until) {
    return asked && ticket.isOut() && queue.now() >= until && !isClientGone();
  }

  /**
   * The read goes on as by stock HDFS; {@link #finish} must follow.
   *
   * @param file the open file of the replica's data; null if it has none
   */
  void leaveToKernel(FileDescriptor file) {
    letKernelReadAhead(true, file);
  }

  /**
   * While others use the disk, too, the kernel reads nothing ahead by itself: nobody would pay for
   * it, and it would be found in the page cache.
   */
  private void letKernelReadAhead(boolean does, FileDescriptor file) {
    if (file == null || does == kernelReadsAhead) {
      return;
    }
    kernelReadsAhead = does;
    if (does) {
      PageCache.readAheadAgain(DescriptorNumber.of(file));
    } else {
      PageCache.readNothingAhead(DescriptorNumber.of(file));
    }
  }

  /** A short read that has a turn asks for all of its data at once: sendfile would split it. */
  private void advise(long offset, long end, FileDescriptor file) {
    if (asked && file != null && !kernelReadsAhead && offset >= advisedUntil) {
      long bytes = Math.min(StreamTable.SHORT_BYTES, end - offset);
      PageCache.advise(DescriptorNumber.of(file), offset, bytes);
      advisedUntil = offset + bytes;
    }
  }

  /**
   * The packet has waited for as long as it may, and a part is read for the way that the disk goes
   * there. At the process's own priority: the kernel would let others go before idle for as long
   * once more.
   */
  private void readWithoutTurn(long offset, long end, FileDescriptor file) {
    if (file == null) {
      return;
    }
    long bytes = Math.min(StreamTable.SHORT_BYTES, end - offset);
    int applied = ThreadIoPriority.applyOwn();
    try {
      if (loadWithSums(offset, bytes, file, checksums != null)) {
        cachedUntil = offset + bytes;
        queue.counters().moved(ticket.diskClass(), bytes);
      }
    } finally {
      ThreadIoPriority.restore(applied);
    }
  }

  /** Reads into the page cache; returns false if this kernel cannot. */
  private boolean loadWithSums(long offset, long bytes, FileDescriptor file, boolean withSums) {
    // HDFS reads them when it puts the packet together, after the read has left the disk.
    long sumsAt = offset / DATA_TO_SUMS;
    long sumsBytes = bytes / DATA_TO_SUMS + 1;
    if (withSums) {
      // The drive gets both together, and goes the shorter way.
      PageCache.advise(DescriptorNumber.of(checksums), sumsAt, sumsBytes);
    }
    boolean loaded = PageCache.load(DescriptorNumber.of(file), offset, bytes);
    if (loaded && withSums) {
      PageCache.load(DescriptorNumber.of(checksums), sumsAt, sumsBytes);
    }
    return loaded;
  }

  /** Whether the packet need not use the disk because it was read ahead; waits until it was. */
  private boolean isReadAhead(long offset, long end, CachedData data, long until) {
    FileDescriptor file = ticket.stream() == null ? null : data.file();
    if (file == null || (readahead == null && end - offset <= StreamTable.SHORT_BYTES)) {
      return false;
    }
    boolean ahead = readahead != null && readahead.isAhead(offset);
    if (!ahead && !queue.isShared(queue.now())) {
      return false;
    }
    if (readahead == null) {
      Ticket another = new Ticket(priority, ticket.weight(), ticket.stream());
      another.client = ticket.client;
      another.inForce = ticket.inForce;
      another.impatient = ticket.impatient;
      readahead = new TurnReadahead(queue, priority, another, offset, end);
    }
    if (ticket.isIn()) {
      queue.done(ticket);
    }
    return readahead.reach(offset, 1, file, checksums, until);
  }

  private void lowerPacket(long until) {
    long now = queue.now();
    if (ticket.isIn()) {
      ticket.resume(now);
    }
    asked = queue.mayContinue(ticket, now) || queue.enter(ticket, inCache, until);
  }

  private void realtimePacket(long offset, long end, CachedData data) {
    boolean first = start < 0;
    start = first ? offset : start;
    if (offset < partEnd && partInMemory) {
      // What it has itself read must not count as cached.
      return;
    }
    if (isCached(offset, end, data)) {
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
    boolean longer = !kernelReadsAhead && file != null && offset > start;
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
    partInMemory = !kernelReadsAhead && loadWithSums(offset, bytes, file, checksums != null);
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

  /** Looks into the page cache, and remembers how far the read may go without asking again. */
  private boolean isCached(long offset, long end, CachedData data) {
    long ahead = Math.min(CACHED_AHEAD_BYTES, end - offset);
    if (!data.isCached(offset, ahead)) {
      return false;
    }
    cachedUntil = offset + ahead < end ? offset + ahead / 2 : end;
    return true;
  }

  /** The packet has been read and sent, or has failed. */
  void packetDone(long offset, int bytes) {
    inPacket = false;
    if (!ticket.isRealtime() && offset >= cachedUntil) {
      ticket.read(bytes);
      if (ticket.isIn()) {
        queue.pause(ticket);
      }
    }
  }

  /** The thread waits for something other than the disk. */
  void suspend() {
    if (ticket.isRealtime()) {
      if (!pausedForCache) {
        queue.pauseRealtime(ticket);
      }
    } else if (ticket.isIn()) {
      queue.pause(ticket);
    }
  }

  /** The thread waits for something else to the end of its packet. */
  void leave() {
    suspend();
    pausedForCache = pausedForCache || ticket.isRealtime();
  }

  /** The thread goes on with its packet, and waits until it may if it has lost its turn. */
  void resume() {
    if (ticket.isRealtime()) {
      // Not for what comes from memory: whoever uses the disk ends the turn of a stream.
      pausedForCache = pausedForCache || partInMemory;
      if (!pausedForCache) {
        queue.resumeRealtime(ticket);
      }
    } else if (asked) {
      long until = queue.now() + packetNanos;
      lowerPacket(until);
      asked &= !isOverdue(until);
      packetNanos = Math.max(0, until - queue.now());
    }
  }

  /**
   * The number of bytes that HDFS may read ahead of this read, at most {@code asked}. While others
   * use the disk, {@link TurnReadahead} reads ahead of a stream.
   */
  long readaheadBytes(long asked) {
    // The pool takes over the thread's priority.
    endOpening();
    poolBytes = asked;
    return isAlone(queue.now()) ? asked : 0;
  }

  /** Whether it is read as by stock HDFS, because nobody else uses the disk. */
  boolean isAlone(long now) {
    return ticket.isRealtime() ? !queue.isBesideOthers(now, poolBytes) : !queue.isShared(now);
  }

  /** The read needs the disk no more. */
  void finish() {
    if (!begun) {
      return;
    }
    try {
      endOpening();
    } finally {
      if (readahead != null) {
        readahead.stop();
      }
    }
    if (counted) {
      counted = false;
      queue.realtimeReaders().ended();
    }
    if (ticket.isRealtime()) {
      queue.doneRealtime(ticket);
    } else if (!ticket.isOut()) {
      queue.done(ticket);
    }
  }
}
