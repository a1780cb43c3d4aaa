// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.hdfs.datanode.scheduler;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.LongConsumer;
import org.hadoopprio.disktime.DeviceQueue;
import org.hadoopprio.disktime.Disk;
import org.hadoopprio.disktime.DiskCounters;
import org.hadoopprio.hdfs.datanode.scheduler.VolumeLog.Warning;
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

  /** How often a write that waits for the drive looks whether its turn has ended. */
  private static final long LOOK_NANOS = TimeUnit.MILLISECONDS.toNanos(2);

  private final VolumeClock clock;
  private final DiskCounters counters = new DiskCounters();
  private final StreamTable streams = new StreamTable();
  private final DiskWrites writes = new DiskWrites();
  private final HastyReads hastyReads = new HastyReads();

  /** As often as those an idle read may open its files above idle. */
  private final HastyReads idleOpenings = new HastyReads();

  /** Has the lock. */
  private final TurnWaits waits;

  private final Disk scheduler;
  private final DiskSharing sharing;
  private final DiskStatus status;
  private final ShownVolume shown = new ShownVolume();
  private SchedulerLimits limits;

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
    this.clock = clock;
    this.limits = limits;
    long now = now();
    this.waits =
        new TurnWaits(
            new VolumeLog(volume),
            clock,
            counters,
            new TurnThreads(streams),
            inForce,
            granted -> new Disk(limits.disk(), streams, now, counters, granted, device));
    this.scheduler = waits.scheduler();
    this.sharing = new DiskSharing(scheduler, device, now);
    this.status = new DiskStatus(scheduler, counters, waits::waiting);
  }

  /** Its name, or that of the first of several. */
  String volume() {
    return waits.log().volume();
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
      waits.locked(
          () -> {
            limits = wanted;
            scheduler.setSettings(wanted.disk(), now());
          });
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
    return sharing.isShared(now) && !waits.letsAllPass(now);
  }

  /** A read that shares the disk has come. The first one after a second makes writes take turns. */
  private void readerCame(long now) {
    if (sharing.readerCame(now) && !writes.readersCame()) {
      waits.warn(Warning.WRITES);
    }
  }

  /** The writes that would take turns. */
  DiskWrites writes() {
    return writes;
  }

  /** Whether reads used the disk in the last second; one that has it to itself counts as well. */
  boolean isRead() {
    return waits.locked(() -> sharing.isRead(now()));
  }

  // ---- to ask, and to wait ------------------------------------------------------------------

  /** One of real-time may be {@code opening} its files first; see the others. */
  private boolean enter(Ticket ticket, boolean opening, BooleanSupplier isCached, long until) {
    if (waits.locked(() -> goes(ticket, opening))) {
      return true;
    }
    boolean cached = true;
    try {
      cached = isCached.getAsBoolean();
    } finally {
      // Also if the look into the page cache has failed: then the read does not wait.
      boolean wants = !cached;
      waits.locked(() -> waitOrLeave(ticket, wants, until));
    }
    return !cached;
  }

  /** Asks the scheduler; returns whether the read need not wait. Needs the lock. */
  private boolean goes(Ticket ticket, boolean opening) {
    long now = now();
    if (!ticket.isRealtime()) {
      sharing.lowerCame(now);
      boolean goes = scheduler.ask(ticket, now);
      if (!ticket.isWriting() && scheduler.isOneOfSeveral(ticket)) {
        readerCame(now);
      }
      return goes;
    }
    readerCame(now);
    boolean goes = waits.letsPass(ticket, now) || scheduler.askRealtime(ticket, opening, now);
    ticket.paced = !goes && scheduler.isRealtimePaused(ticket);
    return goes;
  }

  private void waitOrLeave(Ticket ticket, boolean wants, long until) {
    if (!wants) {
      leave(ticket);
    } else if (ticket.isWaiting()) {
      if (!ticket.isRealtime() && !ticket.isWriting()) {
        readerCame(now());
      }
      waits.await(ticket, until);
      if (ticket.paced) {
        paced(now() - ticket.askedAt());
      }
    }
  }

  private void leave(Ticket ticket) {
    scheduler.withdraw(ticket, now());
    if (ticket.isRealtime()) {
      scheduler.realtimeDone(ticket, now());
    } else {
      scheduler.done(ticket, now());
    }
  }

  private void paced(long nanos) {
    PriorityMetrics.REALTIME_PACED.increment();
    PriorityMetrics.REALTIME_PACED_NANOS.add(nanos);
    waits.warn(Warning.PACED, limits.realtimeShare());
  }

  /**
   * A real-time read asks for the disk and waits until it may use it.
   *
   * @param opening whether it opens its files first
   */
  void enterRealtime(Ticket ticket, boolean opening) {
    enterRealtime(ticket, opening, () -> false);
  }

  /**
   * The same, unless the data is in the page cache.
   *
   * @param isCached asked only if the read would have to wait, and without the lock
   */
  void enterRealtime(Ticket ticket, boolean opening, BooleanSupplier isCached) {
    sharing.refresh();
    enter(ticket, opening, isCached, now() + ticket.longestWaitNanos);
  }

  /**
   * A read of another class asks for the disk for its next request, and waits for it unless the
   * data is in the page cache.
   *
   * @param isCached asked only if the read would have to wait, and without the lock
   * @param until when it goes on at the latest
   * @return false if the read may go on because its data is in the page cache
   */
  boolean enter(Ticket ticket, BooleanSupplier isCached, long until) {
    return enter(ticket, false, isCached, until);
  }

  /** The same, for a wait that begins now. */
  boolean enter(Ticket ticket, BooleanSupplier isCached) {
    return enter(ticket, isCached, now() + ticket.longestWaitNanos);
  }

  // ---- real-time ----------------------------------------------------------------------------

  /**
   * How long a real-time read that asks now is expected to take, in nanoseconds, if that is longer
   * than its latency target leaves; otherwise 0.
   */
  long lateNanos(Ticket ticket) {
    return waits.locked(
        () -> waits.letsPass(ticket, now()) ? 0L : scheduler.lateNanos(ticket, now()));
  }

  /** Tells the scheduler of a read, unless that has lost the disk. */
  private void tell(Ticket ticket, LongConsumer what) {
    waits.locked(
        () -> {
          if (ticket.isIn()) {
            what.accept(now());
          }
        });
  }

  /** A real-time read has opened its files and reads from the disk now. */
  void openedRealtime(Ticket ticket) {
    tell(ticket, now -> scheduler.opened(ticket, now));
  }

  /** A real-time read waits for something other than the disk, or reads from memory. */
  void pauseRealtime(Ticket ticket) {
    tell(
        ticket,
        now -> {
          scheduler.paused(ticket, now);
          scheduler.poll(now);
        });
  }

  /** A real-time read has a part in memory, and will ask for the next one when it has sent it. */
  void sendsRealtime(Ticket ticket) {
    tell(
        ticket,
        now -> {
          scheduler.sends(ticket, now);
          scheduler.poll(now);
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
    return sharing.realtimeReaders();
  }

  /**
   * Whether a real-time read shares the disk, or would wait for what is read ahead of many. Then
   * nobody reads ahead of it but in the parts that it asks for.
   *
   * @param poolBytes what HDFS's pool reads ahead of it; 0 if nothing
   */
  boolean isBesideOthers(long now, long poolBytes) {
    return sharing.isBesideOthers(now, poolBytes) && !waits.letsAllPass(now);
  }

  /** The bytes of the next part of a sequential real-time read that has come so far. */
  long partBytes(long come) {
    return sharing.partBytes(come);
  }

  // ---- streams and short reads --------------------------------------------------------------

  /** A read of another class is about to open its files. */
  void opensFiles(Ticket ticket) {
    waits.locked(() -> scheduler.opensFiles(ticket, now()));
  }

  /** It has opened them, or has failed to. */
  void filesOpened(Ticket ticket) {
    waits.locked(() -> scheduler.filesOpened(ticket, now()));
  }

  /** It has no files any more. */
  void filesClosed(Ticket ticket) {
    waits.locked(() -> scheduler.filesClosed(ticket));
  }

  /** About what its stream reads in a turn now, in bytes. */
  long turnBytes(Ticket ticket) {
    return scheduler.turnBytes(ticket, now());
  }

  /** Whether a read may make its next request without asking; see {@link Disk}. */
  boolean mayContinue(Ticket ticket, long now) {
    sharing.lowerCame(now);
    return scheduler.mayContinue(ticket, now) || waits.letsPass(ticket, now);
  }

  /**
   * A write leaves a drive that has a cache the time to write what it has taken, as long as it has
   * its turn. Takes no lock.
   */
  void awaitDrive(Ticket ticket) {
    if (!sharing.cachesWrites()) {
      return;
    }
    long now = now();
    long left = leftToWrite(ticket, now);
    while (left > 0 && mayContinue(ticket, now)) {
      LockSupport.parkNanos(this, Math.min(left, LOOK_NANOS));
      now = now();
      left = leftToWrite(ticket, now);
    }
  }

  private long leftToWrite(Ticket ticket, long now) {
    return waits.letsPass(ticket, now) ? 0 : scheduler.leftToWriteNanos(ticket, now);
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
          sharing.lowerCame(now);
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
    return waits.locked(() -> status.at(now(), isOpen(now())));
  }
}
