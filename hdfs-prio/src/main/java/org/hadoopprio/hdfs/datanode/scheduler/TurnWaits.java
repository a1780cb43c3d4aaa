// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.hdfs.datanode.scheduler;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.EnumMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Function;
import org.hadoopprio.disktime.Claim;
import org.hadoopprio.disktime.Disk;
import org.hadoopprio.disktime.DiskClass;
import org.hadoopprio.disktime.DiskCounters;
import org.hadoopprio.log.RateLimitedLog;
import org.hadoopprio.metrics.PriorityMetrics;
import org.slf4j.LoggerFactory;

/**
 * The lock of one volume's {@link Disk}, those who wait for it to let them in, and the thread that
 * watches the clock for all of them. Thread-safe.
 *
 * <p>Some wait with their threads, others have work to do, for which a thread is taken when its
 * turn has come ({@link TurnWork}).
 *
 * <p>A wait ends for one of five reasons: the scheduler lets the read in; the thread is
 * interrupted, which stays set, or the work is cancelled; the client is gone ({@link
 * ClientConnection}); the volume has left mode {@code turns}; or the wait has lasted too long. If
 * no read was given a turn for long by then, the scheduler does not work, and nobody waits for
 * {@link #OPEN_NANOS}.
 */
final class TurnWaits {

  /** How long a scheduler that gives no turns lets all reads pass. */
  static final long OPEN_NANOS = TimeUnit.SECONDS.toNanos(60);

  /** How long the thread that watches the clock stays when nobody waits. */
  private static final long IDLE_NANOS = TimeUnit.SECONDS.toNanos(1);

  /** How often that thread looks at least while somebody waits. */
  private static final long LOOK_NANOS = TimeUnit.SECONDS.toNanos(1);

  /** The value of {@link #watcherWakesAt} when it sleeps until somebody waits. */
  private static final long NEVER = Long.MAX_VALUE;

  /** What is warned of. One must not keep another out of the log. */
  enum Warning {
    CLOCK,
    OPEN,
    OVERDUE,
    PACED,
    REFUSED,
    WRITES
  }

  /** For each volume: a disk that hangs must not hide what happens to another. */
  private final Map<Warning, RateLimitedLog> logs = new EnumMap<>(Warning.class);

  private final String volume;
  private final VolumeClock clock;
  private final DiskCounters counters;
  private final TurnThreads threads;
  private final ReentrantLock lock = new ReentrantLock();

  /** Guarded by the lock, as the fields below. */
  private final Disk scheduler;

  /** In the order of their coming. */
  private final Set<Ticket> waiting = new LinkedHashSet<>();

  /** What the thread that has the lock does when it has given it back, because it may take long. */
  private List<Runnable> afterwards = new ArrayList<>();

  /** Those that have been let in, but have no thread. */
  private final Deque<Ticket> refused = new ArrayDeque<>();

  /** Whether a thread watches the clock, or is about to. */
  private boolean watched;

  /** That thread; also read without the lock. */
  private volatile Thread watcher;

  /** Until when it sleeps; also read without the lock. */
  private volatile long watcherWakesAt;

  private volatile long openUntil;

  private final BooleanSupplier inForce;

  /**
   * Makes the waits of a disk, of which there are none.
   *
   * @param volume its name, for the log
   * @param clock is told whether somebody waits, and so looks at it
   * @param threads for what is done in the turns
   * @param inForce whether reads of any of its volumes take turns at present; nobody waits while
   *     not
   * @param scheduler makes a scheduler that the given object can call as it lets a read in
   */
  TurnWaits(
      String volume,
      VolumeClock clock,
      DiskCounters counters,
      TurnThreads threads,
      BooleanSupplier inForce,
      Function<Consumer<Claim>, Disk> scheduler) {
    this.volume = volume;
    this.clock = clock;
    this.counters = counters;
    this.threads = threads;
    this.inForce = inForce;
    this.openUntil = clock.getAsLong();
    for (Warning kind : Warning.values()) {
      logs.put(kind, new RateLimitedLog(LoggerFactory.getLogger(TurnWaits.class)));
    }
    this.scheduler = scheduler.apply(this::granted);
  }

  Disk scheduler() {
    return scheduler;
  }

  void lock() {
    lock.lock();
  }

  /** Gives the lock back, and makes sure that a thread looks at the clock in time. */
  void unlock() {
    try {
      endRefused();
      if (!waiting.isEmpty()) {
        watch();
      }
    } finally {
      run(giveBack());
    }
  }

  /** Does something with the scheduler. */
  void locked(Runnable work) {
    lock();
    try {
      work.run();
    } finally {
      unlock();
    }
  }

  private List<Runnable> giveBack() {
    List<Runnable> due = List.of();
    if (!afterwards.isEmpty()) {
      due = afterwards;
      afterwards = new ArrayList<>();
    }
    lock.unlock();
    return due;
  }

  /** A log that fails must not keep the work from learning that it has no turn. */
  private static void run(List<Runnable> due) {
    for (Runnable each : due) {
      try {
        each.run();
      } catch (RuntimeException | LinkageError e) {
        PriorityMetrics.FAILED.increment();
      }
    }
  }

  /** Logs a warning when the calling thread, which has the lock, has given it back. */
  void warn(Warning kind, String message) {
    afterwards.add(() -> logs.get(kind).warn(message));
  }

  /** Whether no read waits because the scheduler has misbehaved. Needs no lock. */
  boolean isOpen(long now) {
    return now - openUntil < 0;
  }

  /** Whether no read waits at present. Needs no lock. */
  boolean letsAllPass(long now) {
    return isOpen(now) || !inForce.getAsBoolean();
  }

  /** Whether that one does not wait at present, as others may. Needs no lock. */
  boolean letsPass(Ticket ticket, long now) {
    return isOpen(now) || !ticket.inForce.getAsBoolean() || !inForce.getAsBoolean();
  }

  // ---- waiting ------------------------------------------------------------------------------

  /**
   * Makes the calling thread wait until the scheduler lets its read in. The thread has the lock
   * before and after that.
   *
   * @param until when the wait ends at the latest
   */
  void await(Ticket ticket, long until) {
    ticket.waiter = Thread.currentThread();
    ticket.waitsUntil = until;
    waiting.add(ticket);
    try {
      while (ticket.isWaiting()) {
        long now = clock.getAsLong();
        if (mayWait(ticket, now)) {
          park(ticket, until - now);
        } else {
          scheduler.withdraw(ticket, now);
        }
      }
    } finally {
      ticket.waiter = null;
      waiting.remove(ticket);
      scheduler.withdraw(ticket, clock.getAsLong());
      waited(ticket);
    }
  }

  /**
   * Lets work be done as soon as its ticket has a turn. Needs the lock.
   *
   * @return whether that is now
   */
  boolean ask(Ticket ticket, TurnWork work, long now) {
    ticket.work = work;
    ticket.waitsUntil = now + VolumeQueue.MAX_WAIT_NANOS;
    if (letsPass(ticket, now)) {
      start(ticket);
      return true;
    }
    if (scheduler.ask(ticket, now)) {
      return true;
    }
    waiting.add(ticket);
    return false;
  }

  private void granted(Claim claim) {
    // Only tickets ask here.
    Ticket ticket = (Ticket) claim;
    if (ticket.work == null) {
      wake(ticket.waiter);
      return;
    }
    if (waiting.remove(ticket)) {
      waited(ticket);
    }
    start(ticket);
  }

  private void start(Ticket ticket) {
    TurnWork work = ticket.work;
    ticket.work = null;
    if (!threads.execute(work::inTurn)) {
      counters.refused();
      warn(
          Warning.REFUSED,
          "A turn of volume "
              + volume
              + " is not used, because "
              + threads.most()
              + " threads are at its disk");
      refused.add(ticket);
      afterwards.add(work::withoutTurn);
    }
  }

  /** The turns of those go to others, of which some may be refused, too. */
  private void endRefused() {
    for (Ticket each = refused.poll(); each != null; each = refused.poll()) {
      scheduler.done(each, clock.getAsLong());
    }
  }

  private void waited(Ticket ticket) {
    counters.waited(ticket.diskClass(), clock.getAsLong() - ticket.askedAt());
  }

  /** Ends the wait of work, if it waits. Needs the lock. */
  void cancel(Ticket ticket) {
    TurnWork work = ticket.work;
    if (work != null) {
      ticket.work = null;
      waiting.remove(ticket);
      waited(ticket);
      scheduler.withdraw(ticket, clock.getAsLong());
      afterwards.add(work::withoutTurn);
    }
  }

  private void park(Ticket ticket, long nanos) {
    try {
      unlock();
      // What is done without the lock may block, and so take the wake-up that was for the ticket.
      if (ticket.isWaiting() && !letsPass(ticket, clock.getAsLong())) {
        LockSupport.parkNanos(this, ticket.client.untilLook(nanos));
        ticket.client.look();
      }
    } finally {
      lock.lock();
    }
  }

  private boolean mayWait(Ticket ticket, long now) {
    if (now - ticket.waitsUntil >= 0) {
      overdue(ticket, now);
      return false;
    }
    return !letsPass(ticket, now)
        && !Thread.currentThread().isInterrupted()
        && !ticket.client.isGone();
  }

  private void overdue(Ticket ticket, long now) {
    // Before it came a stream may have read alone, for which no turn begins.
    boolean stuck = now - ticket.askedAt() >= Disk.LOST_NANOS && scheduler.isStuck(now);
    if (stuck || !ticket.impatient) {
      counters.overdue();
      warn(
          Warning.OVERDUE,
          "A read of class "
              + ticket.ioClass().shortName()
              + " of volume "
              + volume
              + " has waited for "
              + TimeUnit.NANOSECONDS.toSeconds(ticket.longestWaitNanos)
              + " s and goes on");
    }
    if (stuck) {
      open(now);
    }
  }

  private void open(long now) {
    openUntil = now + OPEN_NANOS;
    warn(
        Warning.OPEN,
        "No read of volume "
            + volume
            + " waits for its turn in the next "
            + TimeUnit.NANOSECONDS.toSeconds(OPEN_NANOS)
            + " s, because none was given a turn in the last "
            + TimeUnit.NANOSECONDS.toSeconds(Disk.LOST_NANOS)
            + " s");
    List.copyOf(waiting).forEach(this::endWait);
  }

  private void endWait(Ticket ticket) {
    wake(ticket.waiter);
    cancel(ticket);
  }

  /** Of those whose volume has left mode turns, whether or not others on the disk have. */
  private void endWaitsOfOtherModes() {
    List<Ticket> passing = new ArrayList<>();
    boolean all = !inForce.getAsBoolean();
    for (Ticket each : waiting) {
      if (all || !each.inForce.getAsBoolean()) {
        passing.add(each);
      }
    }
    passing.forEach(this::endWait);
  }

  /** The number of reads of a class that wait now. */
  int waiting(DiskClass diskClass) {
    int count = 0;
    for (Ticket ticket : waiting) {
      if (ticket.isWaiting() && ticket.diskClass() == diskClass) {
        count++;
      }
    }
    return count;
  }

  private static void wake(Thread thread) {
    if (thread != null) {
      LockSupport.unpark(thread);
    }
  }

  // ---- the clock ----------------------------------------------------------------------------

  /** Makes sure that the thread which watches the clock looks when something is due. */
  private void watch() {
    if (!watched) {
      watched = TurnThreads.start(this::watchTheClock);
      clock.watched(watched);
      if (!watched) {
        // Whoever waits looks at the end of the wait, and the next one to come tries again.
        warn(
            Warning.CLOCK,
            "Nobody watches the clock of volume " + volume + ": there is no thread for it");
      }
      return;
    }
    long now = clock.getAsLong();
    long due = now + untilDue(now);
    if (due < watcherWakesAt) {
      watcherWakesAt = due;
      wake(watcher);
    }
  }

  private void watchTheClock() {
    try {
      for (long left = look(); left > 0; left = look()) {
        LockSupport.parkNanos(this, left);
      }
    } catch (RuntimeException | LinkageError e) {
      PriorityMetrics.FAILED.increment();
      logs.get(Warning.CLOCK).warn("The clock of volume " + volume + " is not watched: " + e);
    }
  }

  /** Returns for how long the clock need not be watched, in nanoseconds, or 0 for ever. */
  private long look() {
    boolean stays = false;
    List<Runnable> due;
    lock.lock();
    try {
      watcher = Thread.currentThread();
      boolean slept = watcherWakesAt == NEVER;
      long now = clock.getAsLong();
      lookNow(now);
      // Before it is found out what is due: see paused.
      watcherWakesAt = NEVER;
      long left = IDLE_NANOS;
      if (!waiting.isEmpty()) {
        left = untilDue(now);
        watcherWakesAt = now + left;
      }
      stays = !waiting.isEmpty() || !slept;
      return stays ? left : 0;
    } finally {
      if (!stays) {
        watched = false;
        clock.watched(false);
        watcher = null;
      }
      due = giveBack();
      // A log that blocks must not stop the clock.
      if (!due.isEmpty() && !TurnThreads.start(() -> run(due))) {
        run(due);
      }
    }
  }

  /** Lets in what may go now, and ends the waits that have lasted too long. */
  void lookNow(long now) {
    endWaitsOfOtherModes();
    scheduler.poll(now);
    while (!waiting.isEmpty() && now - eldest().waitsUntil >= 0) {
      Ticket eldest = eldest();
      waiting.remove(eldest);
      if (eldest.work == null) {
        wake(eldest.waiter);
      } else {
        overdue(eldest, now);
        cancel(eldest);
      }
    }
    endRefused();
  }

  private Ticket eldest() {
    return waiting.iterator().next();
  }

  private long untilDue(long now) {
    // Nobody tells when turns are not in force any more.
    long first = Math.min(eldest().waitsUntil - now, LOOK_NANOS);
    return Math.max(1, Math.min(first, scheduler.untilDue(now)));
  }

  /**
   * A read that has the disk waits for something else, and so will lose its turn if it is not back
   * soon. Called without the lock, as often as a client is slow.
   */
  void paused(long now) {
    if (scheduler.isLowerWaiting() && watcherWakesAt > now + Disk.GRACE_NANOS) {
      wake(watcher);
    }
  }
}
