// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.hdfs.datanode.scheduler;

import java.util.EnumMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.hadoopprio.IoClass;
import org.hadoopprio.IoPriority;
import org.hadoopprio.disktime.DeviceQueue;
import org.hadoopprio.disktime.Disk;
import org.hadoopprio.disktime.DiskClass;
import org.hadoopprio.disktime.DiskCounters;
import org.hadoopprio.disktime.RealtimeShare;
import org.hadoopprio.metrics.ClassStatus;
import org.hadoopprio.metrics.PriorityMetrics;
import org.hadoopprio.metrics.QueueStatus;

/**
 * Makes threads wait until the {@link Disk} of their volume's disk lets them in ({@link
 * TurnWaits}), or what they are about to read is in the page cache. Volumes on one disk have one
 * queue ({@link DiskQueues}). Thread-safe.
 */
final class VolumeQueue {

  /** What a packet may wait at most, whatever its client's {@link Patience}. */
  static final long MAX_WAIT_NANOS = TimeUnit.SECONDS.toNanos(20);

  private static final long SHARED_NANOS = TimeUnit.SECONDS.toNanos(1);

  private final String volume;
  private final RealtimeReaders realtimeReaders = new RealtimeReaders();
  private final HastyReads hastyReads = new HastyReads();

  /** As often as those an idle read may open its files above idle. */
  private final HastyReads idleOpenings = new HastyReads();

  private final DeviceQueue device;
  private final VolumeClock clock;
  private final DiskCounters counters = new DiskCounters();
  private final StreamTable streams = new StreamTable();
  private final ShownVolume shown = new ShownVolume();

  /** Has the lock. */
  private final TurnWaits waits;

  private final Disk scheduler;

  /** The writes that would take turns. */
  private final Set<ScheduledWrite> writes = ConcurrentHashMap.newKeySet();

  private final WriteBacklog backlog = new WriteBacklog(WriteLimit.OF_A_DISK);

  /** Anybody may write at idle, and what is written then leaves for the disk slowly. */
  private final WriteBacklog idleBacklog =
      new WriteBacklog(() -> WriteLimit.OF_A_DISK.getAsLong() / 2);

  /** The disk time of each class when it was last shown. */
  private final Map<DiskClass, Long> shownNanos = new EnumMap<>(DiskClass.class);

  private SchedulerLimits limits;

  /** When another class last used the disk, or asked for it. */
  private volatile long lowerAt;

  /** When a read last had to wait, or a real-time read came. */
  private volatile long sharedAt;

  /**
   * Makes the queue of a volume.
   *
   * @param volume its name, for the log; that of the first of several
   * @param streams how many streams may have a turn together
   * @param device the disk's queue in the kernel
   * @param inForce whether reads of any of its volumes take turns at present; nobody waits while
   *     not
   */
  VolumeQueue(
      String volume,
      SchedulerLimits limits,
      int streams,
      VolumeClock clock,
      DeviceQueue device,
      BooleanSupplier inForce) {
    this.volume = volume;
    this.clock = clock;
    this.limits = limits;
    long now = clock.getAsLong();
    this.sharedAt = now - SHARED_NANOS;
    this.lowerAt = now - SHARED_NANOS;
    this.device = device;
    this.waits =
        new TurnWaits(
            volume,
            clock,
            counters,
            new TurnThreads(streams),
            inForce,
            granted -> new Disk(limits.disk(), streams, now, counters, granted, device));
    this.scheduler = waits.scheduler();
  }

  String volume() {
    return volume;
  }

  DiskCounters counters() {
    return counters;
  }

  ShownVolume shown() {
    return shown;
  }

  StreamTable streams() {
    return streams;
  }

  long now() {
    return clock.getAsLong();
  }

  /** Applies settings that may have changed. */
  void setLimits(SchedulerLimits wanted) {
    if (wanted != limits) {
      waits.lock();
      try {
        limits = wanted;
        scheduler.setSettings(wanted.disk(), now());
      } finally {
        waits.unlock();
      }
    }
  }

  /** Whether no read waits because the scheduler has misbehaved. */
  boolean isOpen(long now) {
    return waits.isOpen(now);
  }

  /** Lets in what may go now, for a clock that does not run by itself. */
  void look() {
    waits.locked(() -> waits.lookNow(now()));
  }

  /**
   * Whether more than a single stream has used the disk in the last second. Not while the scheduler
   * lets all pass: then reads are those of stock HDFS.
   */
  boolean isShared(long now) {
    return wasShared(now) && !waits.letsAllPass(now);
  }

  private boolean wasShared(long now) {
    return now - sharedAt < SHARED_NANOS;
  }

  /**
   * A read that shares the disk has come. The first one after a second makes writes take turns: a
   * thread that receives a block may be blocked by the kernel, because the page cache is full of
   * what the disk has to write.
   */
  private void readerCame(long now) {
    if (!wasShared(now) && !writes.isEmpty()) {
      if (!TurnThreads.start(() -> writes.forEach(ScheduledWrite::readersCame))) {
        waits.warn(
            TurnWaits.Warning.WRITES, "Writes of volume " + volume + " take no turns at first");
      }
    }
    sharedAt = now;
  }

  /** A write has begun. {@link #writeEnded} must follow. */
  void writeBegun(ScheduledWrite write) {
    writes.add(write);
  }

  void writeEnded(ScheduledWrite write) {
    writes.remove(write);
  }

  /**
   * What writes of a class have in the page cache.
   *
   * @param priority of the writes; null for none
   */
  WriteBacklog backlog(IoPriority priority) {
    boolean idle = priority != null && priority.ioClass() == IoClass.IDLE;
    return idle ? idleBacklog : backlog;
  }

  /** Whether reads used the disk in the last second; one that has it to itself counts as well. */
  boolean isRead() {
    waits.lock();
    try {
      return wasShared(now()) || scheduler.isLowerRead();
    } finally {
      waits.unlock();
    }
  }

  /** The same for a read whose data may have to come from the disk. */
  void enterRealtime(Ticket ticket, boolean opening) {
    enterRealtime(ticket, opening, () -> false);
  }

  /**
   * A real-time read asks for the disk and waits until it may use it, unless the data is in the
   * page cache.
   *
   * @param opening whether it opens its files first
   * @param isCached asked only if the read would have to wait
   */
  void enterRealtime(Ticket ticket, boolean opening, BooleanSupplier isCached) {
    boolean paused;
    long asked;
    device.refresh();
    waits.lock();
    try {
      asked = now();
      readerCame(asked);
      if (waits.letsPass(ticket, asked) || scheduler.askRealtime(ticket, opening, asked)) {
        return;
      }
      paused = scheduler.isRealtimePaused(ticket);
    } finally {
      waits.unlock();
    }
    boolean cached = true;
    try {
      cached = isCached.getAsBoolean();
    } finally {
      waits.lock();
      try {
        // As in enter(): a read whose look into the page cache has failed does not wait.
        if (cached) {
          scheduler.withdraw(ticket, now());
          scheduler.realtimeDone(ticket, now());
        } else if (ticket.isWaiting()) {
          waits.await(ticket, asked + ticket.longestWaitNanos);
          if (paused) {
            paced(now() - asked);
          }
        }
      } finally {
        waits.unlock();
      }
    }
  }

  /**
   * How long a real-time read that asks now is expected to take, in nanoseconds, if that is longer
   * than its latency target leaves; otherwise 0.
   */
  long lateNanos(Ticket ticket) {
    waits.lock();
    try {
      long now = now();
      return waits.letsPass(ticket, now) ? 0 : scheduler.lateNanos(ticket, now);
    } finally {
      waits.unlock();
    }
  }

  private void paced(long nanos) {
    PriorityMetrics.REALTIME_PACED.increment();
    PriorityMetrics.REALTIME_PACED_NANOS.add(nanos);
    waits.warn(
        TurnWaits.Warning.PACED,
        "Real-time reads of volume "
            + volume
            + " have used more than their share of "
            + limits.realtimeShare()
            + " of its time while other reads waited, and wait");
  }

  /** A real-time read has opened its files and reads from the disk now. */
  void openedRealtime(Ticket ticket) {
    waits.locked(
        () -> {
          if (ticket.isIn()) {
            scheduler.opened(ticket, now());
          }
        });
  }

  /** A real-time read waits for something other than the disk, or reads from memory. */
  void pauseRealtime(Ticket ticket) {
    waits.locked(
        () -> {
          if (ticket.isIn()) {
            scheduler.paused(ticket, now());
            scheduler.poll(now());
          }
        });
  }

  /** A real-time read has a part in memory, and will ask for the next one when it has sent it. */
  void sendsRealtime(Ticket ticket) {
    waits.locked(
        () -> {
          if (ticket.isIn()) {
            scheduler.sends(ticket, now());
            scheduler.poll(now());
          }
        });
  }

  /** A real-time read uses the disk again. */
  void resumeRealtime(Ticket ticket) {
    waits.locked(() -> scheduler.resumed(ticket, now()));
  }

  /** A real-time read needs the disk no more. */
  void doneRealtime(Ticket ticket) {
    waits.locked(() -> scheduler.realtimeDone(ticket, now()));
  }

  /** Whether other classes have a turn, or wait for one. */
  boolean hasLower() {
    return scheduler.hasLower();
  }

  /** How often one may read whose client has no time left for a turn. */
  HastyReads hastyReads() {
    return hastyReads;
  }

  /**
   * Whether an idle read may open its files above idle: few have done so lately. It is counted
   * then. Also one that is alone: others may come before it has opened them.
   */
  boolean mayOpenAboveIdle() {
    long now = now();
    return idleOpenings.next(now, now) == now;
  }

  /** The real-time reads that go on. */
  RealtimeReaders realtimeReaders() {
    return realtimeReaders;
  }

  /**
   * Whether others have used the disk in the last second, or want it, or would wait for what is
   * read ahead of many. Then nobody reads ahead of a real-time read but in the parts that it asks
   * for.
   *
   * @param poolBytes what HDFS's pool reads ahead of it; 0 if nothing
   */
  boolean isBesideOthers(long now, long poolBytes) {
    return (now - lowerAt < SHARED_NANOS
            || now - scheduler.othersSeenAt() < SHARED_NANOS
            || realtimeReaders.areMany(device.readAheadBytes(), poolBytes))
        && !waits.letsAllPass(now);
  }

  /**
   * The bytes of the next part of a sequential real-time read that has come so far. It is as much
   * as stock HDFS would read at once: less would make many such readers slower than without a
   * priority.
   */
  long partBytes(long come) {
    long most = RealtimeShare.sequentialBytes(device.readAheadBytes());
    return Math.max(ScheduledRead.CONTINUED_BYTES, Math.min(most, come));
  }

  /** A stream of another class is about to open its files. */
  void streamOpening(Ticket ticket) {
    waits.locked(() -> scheduler.streamOpening(ticket, now()));
  }

  /** It has opened them, or has failed to. */
  void streamOpened(Ticket ticket) {
    waits.locked(() -> scheduler.streamOpened(ticket, now()));
  }

  /** About what a stream reads in a turn now, in bytes. */
  long turnBytes() {
    return scheduler.turnBytes(now());
  }

  /** Whether a read may make its next request without asking; see {@link Disk}. */
  boolean mayContinue(Ticket ticket, long now) {
    lowerAt = now;
    return scheduler.mayContinue(ticket, now) || waits.letsPass(ticket, now);
  }

  /**
   * A read of another class asks for the disk for its next request, and waits for it unless the
   * data is in the page cache.
   *
   * @param isCached asked only if the read would have to wait
   * @param until when it goes on at the latest
   * @return false if the read may go on because its data is in the page cache
   */
  boolean enter(Ticket ticket, BooleanSupplier isCached, long until) {
    waits.lock();
    try {
      lowerAt = now();
      if (scheduler.ask(ticket, now())) {
        return true;
      }
    } finally {
      waits.unlock();
    }
    boolean cached = true;
    try {
      cached = isCached.getAsBoolean();
    } finally {
      waits.lock();
      try {
        // Also if the look into the page cache has failed: then the read does not wait.
        if (cached) {
          leave(ticket);
        } else if (ticket.isWaiting()) {
          if (!ticket.isWriting()) {
            readerCame(now());
          }
          waits.await(ticket, until);
        }
      } finally {
        waits.unlock();
      }
    }
    return !cached;
  }

  /** The same, for a wait that begins now. */
  boolean enter(Ticket ticket, BooleanSupplier isCached) {
    return enter(ticket, isCached, now() + ticket.longestWaitNanos);
  }

  private void leave(Ticket ticket) {
    scheduler.withdraw(ticket, now());
    scheduler.done(ticket, now());
  }

  /** A read of another class needs the disk no more. */
  void done(Ticket ticket) {
    waits.locked(() -> leave(ticket));
  }

  /** A read that is in waits for something other than the disk. Takes no lock. */
  void pause(Ticket ticket) {
    long now = now();
    ticket.pause(now);
    waits.paused(now);
  }

  /**
   * Work of another class asks for the disk, and will be done on a thread of its own as soon as it
   * has a turn. Exactly one of its methods will be called, and maybe before this one returns.
   */
  void whenItHasATurn(Ticket ticket, TurnWork work) {
    waits.locked(
        () -> {
          long now = now();
          lowerAt = now;
          if (!waits.ask(ticket, work, now) && !ticket.isWriting()) {
            readerCame(now);
          }
        });
  }

  /** As {@link #done}, also for work that waits, which then has no turn. */
  void cancel(Ticket ticket) {
    waits.locked(
        () -> {
          waits.cancel(ticket);
          leave(ticket);
        });
  }

  /** What has happened here, and who waits now. */
  QueueStatus status() {
    waits.lock();
    try {
      long now = now();
      return new QueueStatus(
          status(DiskClass.REALTIME, now),
          status(DiskClass.BEST_EFFORT, now),
          status(DiskClass.IDLE, now),
          counters.turns(),
          counters.overdueWaits(),
          counters.lostReads(),
          counters.refusedTurns(),
          isOpen(now),
          scheduler.serviceTimes());
    } finally {
      waits.unlock();
    }
  }

  private ClassStatus status(DiskClass diskClass, long now) {
    // A counter must not go back, as the time of a read that is in may while its owner changes it.
    long used = shownNanos.merge(diskClass, scheduler.usedNanos(diskClass, now), Math::max);
    return new ClassStatus(
        TimeUnit.NANOSECONDS.toMillis(used),
        counters.bytes(diskClass),
        counters.waits(diskClass),
        TimeUnit.NANOSECONDS.toMillis(counters.waitNanos(diskClass)),
        waits.waiting(diskClass));
  }
}
