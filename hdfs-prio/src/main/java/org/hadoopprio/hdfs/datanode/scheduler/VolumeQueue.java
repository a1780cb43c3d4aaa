package org.hadoopprio.hdfs.datanode.scheduler;

import java.util.EnumMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;
import java.util.function.IntPredicate;
import java.util.function.LongSupplier;
import org.hadoopprio.log.RateLimitedLog;
import org.hadoopprio.metrics.ClassStatus;
import org.hadoopprio.metrics.PriorityMetrics;
import org.hadoopprio.metrics.QueueStatus;
import org.slf4j.LoggerFactory;

/**
 * Makes threads wait until the {@link VolumeScheduler} of their volume lets them in. Thread-safe.
 *
 * <p>A wait ends for one of four reasons: the scheduler lets the read in; what it is about to read
 * is in the page cache; the thread is interrupted, which stays set; or it has waited for {@link
 * #MAX_WAIT_NANOS}. If no read was given a turn for long by then, the scheduler does not work, and
 * nobody waits for {@link #OPEN_NANOS}.
 */
final class VolumeQueue {

  /** A third of an HDFS client's default timeout for a packet (dfs.client.socket-timeout). */
  static final long MAX_WAIT_NANOS = TimeUnit.SECONDS.toNanos(20);

  /** How long a scheduler that gives no turns lets all reads pass. */
  static final long OPEN_NANOS = TimeUnit.SECONDS.toNanos(60);

  private static final long SHARED_NANOS = TimeUnit.SECONDS.toNanos(1);

  private static final RateLimitedLog LOG =
      new RateLimitedLog(LoggerFactory.getLogger(VolumeQueue.class));

  private final String volume;
  private final LongSupplier clock;
  private final VolumeCounters counters = new VolumeCounters();
  private final StreamTable streams = new StreamTable();

  private final ReentrantLock lock = new ReentrantLock();
  private final VolumeScheduler scheduler;

  /** The tickets whose threads wait. */
  private final Set<Ticket> waiting = new LinkedHashSet<>();

  /** The one among them whose thread watches the clock for all. */
  private Ticket watcher;

  private long watcherWakesAt;

  /** The writes that would take turns. */
  private final Set<ScheduledWrite> writes = ConcurrentHashMap.newKeySet();

  /** The disk time of each class when it was last shown. */
  private final Map<DiskClass, Long> shownNanos = new EnumMap<>(DiskClass.class);

  private SchedulerLimits limits;
  private volatile long openUntil;

  /** When a read last had to wait, or a real-time read came. */
  private volatile long sharedAt;

  /**
   * Makes the queue of a volume.
   *
   * @param volume its name, for the log
   * @param streams how many streams may have a turn together
   * @param clock monotonic, in nanoseconds
   * @param othersWait see {@link VolumeScheduler}
   */
  VolumeQueue(
      String volume,
      SchedulerLimits limits,
      int streams,
      LongSupplier clock,
      IntPredicate othersWait) {
    this.volume = volume;
    this.clock = clock;
    this.limits = limits;
    long now = clock.getAsLong();
    this.openUntil = now;
    this.sharedAt = now - SHARED_NANOS;
    this.scheduler =
        new VolumeScheduler(
            limits, streams, now, counters, ticket -> wake(ticket.waiter), othersWait);
  }

  String volume() {
    return volume;
  }

  VolumeCounters counters() {
    return counters;
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
      lock.lock();
      try {
        limits = wanted;
        scheduler.setLimits(wanted, now());
      } finally {
        unlock();
      }
    }
  }

  /** Whether no read waits because the scheduler has misbehaved. */
  boolean isOpen(long now) {
    return now - openUntil < 0;
  }

  /** Whether more than a single stream has used the disk in the last second. */
  boolean isShared(long now) {
    return now - sharedAt < SHARED_NANOS;
  }

  /**
   * A read that shares the disk has come. The first one after a second makes writes take turns: a
   * thread that receives a block may be blocked by the kernel, because the page cache is full of
   * what the disk has to write.
   */
  private void readerCame(long now) {
    if (!isShared(now) && !writes.isEmpty()) {
      try {
        TurnThreads.execute(() -> writes.forEach(ScheduledWrite::readersCame));
      } catch (RejectedExecutionException e) {
        LOG.warn("Writes of volume " + volume + " take no turns at first: " + e);
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

  /** Whether reads used the disk in the last second; one that has it to itself counts as well. */
  boolean isRead() {
    lock.lock();
    try {
      return isShared(now()) || scheduler.isLowerRead();
    } finally {
      unlock();
    }
  }

  /** Whether a real-time read used the disk in the last second. */
  boolean hasRealtime(long now) {
    return scheduler.hasRealtime(now);
  }

  // ---- real-time ----------------------------------------------------------------------------

  /**
   * A real-time read asks for the disk and waits until it may use it.
   *
   * @param opening whether it opens its files first
   * @param patient whether it waits if real-time has used up its share
   * @return false if it is not patient and would have had to wait
   */
  boolean enterRealtime(Ticket ticket, boolean opening, boolean patient) {
    lock.lock();
    try {
      long now = now();
      readerCame(now);
      if (isOpen(now) || scheduler.askRealtime(ticket, opening, now)) {
        return true;
      }
      boolean paused = scheduler.isRealtimePaused(ticket);
      if (paused && !patient) {
        scheduler.withdraw(ticket, now);
        return false;
      }
      await(ticket, now + MAX_WAIT_NANOS);
      if (paused) {
        paced(now() - now);
      }
      return true;
    } finally {
      unlock();
    }
  }

  /**
   * How long a real-time read that asks now is expected to take, in nanoseconds, if that is longer
   * than its latency target leaves; otherwise 0.
   */
  long lateNanos(Ticket ticket) {
    lock.lock();
    try {
      long now = now();
      return isOpen(now) ? 0 : scheduler.lateNanos(ticket, now);
    } finally {
      unlock();
    }
  }

  private void paced(long nanos) {
    PriorityMetrics.REALTIME_PACED.increment();
    PriorityMetrics.REALTIME_PACED_NANOS.add(nanos);
    LOG.warn(
        "Real-time reads of volume "
            + volume
            + " have used more than their share of "
            + limits.realtimeShare()
            + " of its time while other reads waited, and wait");
  }

  /** A real-time read has opened its files and reads from the disk now. */
  void openedRealtime(Ticket ticket) {
    lock.lock();
    try {
      if (ticket.state == Ticket.State.IN) {
        scheduler.opened(ticket, now());
      }
    } finally {
      unlock();
    }
  }

  /** A real-time read waits for something other than the disk, or reads from memory. */
  void pauseRealtime(Ticket ticket) {
    lock.lock();
    try {
      if (ticket.state == Ticket.State.IN) {
        scheduler.paused(ticket, now());
        scheduler.poll(now());
      }
    } finally {
      unlock();
    }
  }

  /** A real-time read uses the disk again. */
  void resumeRealtime(Ticket ticket) {
    lock.lock();
    try {
      scheduler.resumed(ticket, now());
    } finally {
      unlock();
    }
  }

  /** A real-time read needs the disk no more. */
  void doneRealtime(Ticket ticket) {
    lock.lock();
    try {
      scheduler.realtimeDone(ticket, now());
    } finally {
      unlock();
    }
  }

  /** A client has itself read a part of a sequential real-time read. */
  void realtimePartDone() {
    lock.lock();
    try {
      scheduler.partDone(now());
    } finally {
      unlock();
    }
  }

  /** Whether other classes have a turn, or wait for one. */
  boolean hasLower() {
    return scheduler.hasLower();
  }

  /** Whether reads of other classes want the disk. */
  boolean isContended() {
    lock.lock();
    try {
      return scheduler.isContended(now());
    } finally {
      unlock();
    }
  }

  // ---- other classes ------------------------------------------------------------------------

  /** A stream of another class is about to open its files. */
  void streamOpening(Ticket ticket) {
    lock.lock();
    try {
      scheduler.streamOpening(ticket, now());
    } finally {
      unlock();
    }
  }

  /** It has opened them, or has failed to. */
  void streamOpened(Ticket ticket) {
    lock.lock();
    try {
      scheduler.streamOpened(ticket, now());
    } finally {
      unlock();
    }
  }

  /** About what a stream reads in a turn now, in bytes. */
  long turnBytes() {
    return scheduler.turnBytes(now());
  }

  /** Whether a read may make its next request without asking; see {@link VolumeScheduler}. */
  boolean mayContinue(Ticket ticket, long now) {
    return scheduler.mayContinue(ticket, now) || isOpen(now);
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
    lock.lock();
    try {
      if (scheduler.ask(ticket, now())) {
        return true;
      }
    } finally {
      unlock();
    }
    boolean cached = true;
    try {
      cached = isCached.getAsBoolean();
    } finally {
      lock.lock();
      try {
        // Also if the look into the page cache has failed: then the read does not wait.
        if (cached) {
          leave(ticket);
        } else if (ticket.state == Ticket.State.WAITING) {
          if (!ticket.writes) {
            readerCame(now());
          }
          await(ticket, until);
        }
      } finally {
        unlock();
      }
    }
    return !cached;
  }

  /** The same, for a wait that begins now. */
  boolean enter(Ticket ticket, BooleanSupplier isCached) {
    return enter(ticket, isCached, now() + MAX_WAIT_NANOS);
  }

  private void leave(Ticket ticket) {
    scheduler.withdraw(ticket, now());
    scheduler.done(ticket, now());
  }

  /** A read of another class needs the disk no more. */
  void done(Ticket ticket) {
    lock.lock();
    try {
      leave(ticket);
    } finally {
      unlock();
    }
  }

  /** As {@link #done}, for a read that another thread waits with: that thread goes on. */
  void cancel(Ticket ticket) {
    lock.lock();
    try {
      Thread waiter = ticket.waiter;
      leave(ticket);
      wake(waiter);
    } finally {
      unlock();
    }
  }

  // ---- waiting ------------------------------------------------------------------------------

  private void await(Ticket ticket, long until) {
    ticket.waiter = Thread.currentThread();
    waiting.add(ticket);
    long asked = ticket.askedAt;
    try {
      while (ticket.state == Ticket.State.WAITING) {
        long now = now();
        scheduler.poll(now);
        if (ticket.state == Ticket.State.WAITING && !mayWait(ticket, until, now)) {
          scheduler.withdraw(ticket, now);
        }
        if (ticket.state == Ticket.State.WAITING) {
          park(ticket, until, now);
        }
      }
    } finally {
      ticket.waiter = null;
      waiting.remove(ticket);
      if (watcher == ticket) {
        watcher = null;
      }
      scheduler.withdraw(ticket, now());
      counters.waited(DiskClass.of(ticket.ioClass), now() - asked);
    }
  }

  private boolean mayWait(Ticket ticket, long until, long now) {
    if (now - until >= 0) {
      counters.overdue();
      LOG.warn(
          "A read of class "
              + ticket.ioClass.shortName()
              + " of volume "
              + volume
              + " has waited for "
              + TimeUnit.NANOSECONDS.toSeconds(MAX_WAIT_NANOS)
              + " s and goes on");
      if (scheduler.isStuck(now)) {
        openUntil = now + OPEN_NANOS;
        LOG.warn(
            "No read of volume "
                + volume
                + " waits for its turn in the next "
                + TimeUnit.NANOSECONDS.toSeconds(OPEN_NANOS)
                + " s, because none was given a turn in the last "
                + TimeUnit.NANOSECONDS.toSeconds(VolumeScheduler.LOST_NANOS)
                + " s");
        waiting.forEach(each -> wake(each.waiter));
      }
      return false;
    }
    return !isOpen(now) && !Thread.currentThread().isInterrupted();
  }

  private void park(Ticket ticket, long until, long now) {
    long left = until - now;
    if (watcher == null) {
      watcher = ticket;
    }
    if (watcher == ticket) {
      left = Math.min(left, scheduler.untilDue(now));
      watcherWakesAt = now + left;
    }
    lock.unlock();
    try {
      LockSupport.parkNanos(this, Math.max(1, left));
    } finally {
      lock.lock();
    }
  }

  /** Gives the lock back, and makes sure that a thread watches the clock if any waits. */
  private void unlock() {
    try {
      if (!waiting.isEmpty()) {
        if (watcher == null) {
          for (Ticket each : waiting) {
            if (each.state == Ticket.State.WAITING) {
              wake(each.waiter);
              break;
            }
          }
        } else {
          long now = now();
          if (now + scheduler.untilDue(now) < watcherWakesAt) {
            wake(watcher.waiter);
          }
        }
      }
    } finally {
      lock.unlock();
    }
  }

  // ---- status -------------------------------------------------------------------------------

  /** What has happened here, and who waits now. */
  QueueStatus status() {
    lock.lock();
    try {
      long now = now();
      return new QueueStatus(
          status(DiskClass.REALTIME, now),
          status(DiskClass.BEST_EFFORT, now),
          status(DiskClass.IDLE, now),
          counters.turns(),
          counters.overdueWaits(),
          counters.lostReads(),
          isOpen(now),
          scheduler.serviceTimes());
    } finally {
      lock.unlock();
    }
  }

  private ClassStatus status(DiskClass diskClass, long now) {
    int waitingNow = 0;
    for (Ticket ticket : waiting) {
      if (ticket.state == Ticket.State.WAITING && DiskClass.of(ticket.ioClass) == diskClass) {
        waitingNow++;
      }
    }
    // A counter must not go back, as the time of a read that is in may while its owner changes it.
    long used = shownNanos.merge(diskClass, scheduler.usedNanos(diskClass, now), Math::max);
    return new ClassStatus(
        TimeUnit.NANOSECONDS.toMillis(used),
        counters.waits(diskClass),
        TimeUnit.NANOSECONDS.toMillis(counters.waitNanos(diskClass)),
        waitingNow);
  }

  private static void wake(Thread thread) {
    if (thread != null) {
      LockSupport.unpark(thread);
    }
  }
}
