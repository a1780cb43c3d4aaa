// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.hdfs.datanode.scheduler;

import java.io.FileDescriptor;
import java.util.function.BooleanSupplier;
import org.hadoopprio.IoPriority;
import org.hadoopprio.disktime.Stream;
import org.hadoopprio.linux.ThreadIoPriority;

/** A read that is not real-time: a stream, which takes turns, or a short one between turns. */
final class LowerRead extends ScheduledRead {

  /**
   * At what an idle read opens its files. Whoever opens files has no turn, and mq-deadline keeps
   * the idle class from the drive for as long as a request of others is there: for 10 s
   * (prio_aging_expire, block/mq-deadline.c).
   */
  private static final IoPriority OPENS_AT = IoPriority.bestEffort(IoPriority.LOWEST_LEVEL);

  /** Null for none. */
  private final IoPriority priority;

  /** When all of its waits end, if not before. */
  private long timeEnds = Long.MAX_VALUE;

  /** From when on its packets wait for no turn, but for a time to read without one. */
  private long hurriesAt = Long.MAX_VALUE;

  /** Reads ahead for a stream that shares the disk; null if it has not yet. */
  private TurnReadahead readahead;

  private boolean opening;

  /** Whether the queue is told when its thread is at its files. */
  private boolean hasFiles;

  /** The thread's I/O priority, which it gets back when the files are open. */
  private int priorityToRestore = ThreadIoPriority.UNCHANGED;

  /** Whether the packet may use the disk, and so loses its place when it waits for the client. */
  private boolean asked;

  /** Whether the packet's data has been asked for. */
  private boolean onItsWay;

  /** How long the packet may still wait for turns: its client waits for the sum. */
  private long packetNanos;

  /** Whether the data of the packet that asked is in the page cache. */
  private BooleanSupplier inCache;

  LowerRead(VolumeQueue queue, SchedulerSettings settings, IoPriority priority, Stream stream) {
    super(queue, settings, new Ticket(priority, settings.limits().weight(priority), stream));
    this.priority = priority == null ? null : priority.withoutTarget();
  }

  @Override
  void setTarget(IoPriority granted, BlockRead read) {
    super.setTarget(granted, read);
    long own = ticket.longestWaitNanos;
    ticket.longestWaitNanos = settings.longestWaitNanos(read.patienceMillis());
    ticket.impatient = ticket.longestWaitNanos < own;
  }

  @Override
  void setTime(long nanos) {
    timeEnds = queue.now() + nanos;
  }

  @Override
  void setHurry(long nanos) {
    hurriesAt = queue.now() + nanos;
  }

  @Override
  boolean isOutOfTime() {
    return queue.now() >= timeEnds;
  }

  @Override
  void setChecksums(FileDescriptor file) {
    super.setChecksums(file);
    if (ticket.stream() != null && beginsBlock()) {
      TurnReadahead.adviseFirst(file);
    }
  }

  @Override
  void open() {
    if (ticket.isIdleClass() && queue.mayOpenAboveIdle()) {
      priorityToRestore = ThreadIoPriority.apply(OPENS_AT);
    }
    if (!isWithoutReadBlock()) {
      opening = true;
      hasFiles = true;
      queue.opensFiles(ticket);
    }
  }

  @Override
  void endOpening() {
    ThreadIoPriority.restore(priorityToRestore);
    priorityToRestore = ThreadIoPriority.UNCHANGED;
    if (opening) {
      opening = false;
      queue.filesOpened(ticket);
    }
  }

  @Override
  void packet(long offset, long end, CachedData data) {
    asked = false;
    onItsWay = false;
    packetNanos = 0;
    super.packet(offset, end, data);
    // Whatever has been found out, the kernel may have to read something, such as checksums.
    ticket.atFiles(queue.now());
  }

  /**
   * Waits for a turn; who has no time left reads without one, as far as {@link HastyReads} lets.
   */
  @Override
  void use(long offset, long end, CachedData data, long now) {
    if (now >= timeEnds) {
      return;
    }
    long longest = Math.max(0, Math.min(ticket.longestWaitNanos, hurriesAt - now));
    long until = Math.min(now + longest, timeEnds);
    ticket.impatient |= until < now + settings.longestWaitNanos(0);
    if (isReadAhead(offset, end, data, until) || isClientGone()) {
      return;
    }
    inCache = () -> pages.look(offset, end, data);
    await(until);
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
      onItsWay = asked && pages.advise(offset, end, data.file());
      // What the packet has asked for may have come while it waits for its client.
      long advised = Math.min(StreamTable.SHORT_BYTES, end - offset);
      inCache = () -> data.isCached(offset, advised);
    }
  }

  private void await(long until) {
    long now = queue.now();
    if (ticket.isIn()) {
      ticket.resume(now);
    }
    asked = queue.mayContinue(ticket, now) || queue.enter(ticket, inCache, until);
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
      await(end);
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
    ticket.atFiles(queue.now());
    try {
      if (pages.loadAndGoOn(offset, bytes, file)) {
        queue.counters().moved(ticket.diskClass(), bytes);
      }
    } finally {
      ThreadIoPriority.restore(applied);
    }
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
      another.setOwner(ticket.owner());
      readahead = new TurnReadahead(queue, priority, another, offset, end);
    }
    if (ticket.isIn()) {
      queue.done(ticket);
    }
    return readahead.reach(offset, 1, file, pages.checksums(), until);
  }

  @Override
  void packetDone(long offset, int bytes) {
    super.packetDone(offset, bytes);
    ticket.leavesFiles();
    if (!pages.has(offset)) {
      ticket.read(bytes);
      suspend();
    }
  }

  @Override
  void suspend() {
    ticket.leavesFiles();
    if (ticket.isIn()) {
      queue.pause(ticket);
    }
  }

  @Override
  void resume() {
    if (onItsWay && ticket.isIn()) {
      // The disk is at its data, whoever may go there next.
      ticket.resume(queue.now());
    } else if (asked) {
      long until = queue.now() + packetNanos;
      await(until);
      asked &= !isOverdue(until);
      packetNanos = Math.max(0, until - queue.now());
    }
    ticket.atFiles(queue.now());
  }

  @Override
  boolean isAlone(long now) {
    return !queue.isShared(now);
  }

  @Override
  void leaveDisk() {
    try {
      endOpening();
    } finally {
      leaveTurns();
    }
  }

  private void leaveTurns() {
    try {
      if (readahead != null) {
        readahead.stop();
      }
      if (!ticket.isOut()) {
        queue.done(ticket);
      }
    } finally {
      closeFiles();
    }
  }

  private void closeFiles() {
    if (hasFiles) {
      hasFiles = false;
      queue.filesClosed(ticket);
    }
  }
}
