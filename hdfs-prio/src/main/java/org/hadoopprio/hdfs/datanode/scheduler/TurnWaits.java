// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.hdfs.datanode.scheduler;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.hadoopprio.disktime.Claim;
import org.hadoopprio.disktime.Disk;
import org.hadoopprio.disktime.DiskCounters;
import org.hadoopprio.hdfs.datanode.scheduler.VolumeLog.Warning;

/**
 * The lock of one disk's {@link Disk}, those who wait for it to let them in, and the thread that
 * looks at the clock for all of them ({@link ClockWatch}). Thread-safe.
 *
 * <p>Some wait with their threads ({@link #await}), others have work to do, for which a thread is
 * taken when its turn has come ({@link TurnWork}). Both are in {@link #waiting}. A wait ends for
 * one of five reasons: the scheduler lets the read in; the thread is interrupted, which stays set,
 * or the work is cancelled; the client is gone ({@link ClientConnection}); the volume has left mode
 * {@code turns}; or the wait has lasted too long. If no read was given a turn for long by then, the
 * scheduler does not work, and nobody waits for {@link #OPEN_NANOS}.
 *
 * <p>The protocol, for which nobody needs to know who else waits:
 *
 * <ol>
 *   <li>A claim changes its state under the lock only, and whoever makes it one that need not wait
 *       wakes its thread, or starts its work, then and there. That may be any thread which has the
 *       lock: whatever it does with the scheduler may let somebody in.
 *   <li>Time lets somebody in as well. So whoever gives the lock back while somebody waits has made
 *       sure that the clock is looked at when the scheduler, or the end of a wait, is due.
 *   <li>A thread that waits has given the lock back, and looks at its claim once more before it
 *       sleeps: an unpark from in between keeps it awake. It sleeps no longer than until the end of
 *       its own wait, or its next look at its client. So it needs the clock's thread for its turn
 *       only, not to end.
 *   <li>Nobody waits for anything under the lock ({@link QuickLock}).
 * </ol>
 */
final class TurnWaits {

  /** How long a scheduler that gives no turns lets all reads pass. */
  static final long OPEN_NANOS = TimeUnit.SECONDS.toNanos(60);

  /** How often the clock is looked at least while somebody waits. */
  private static final long LOOK_NANOS = TimeUnit.SECONDS.toNanos(1);

  private final VolumeLog log;
  private final VolumeClock clock;
  private final DiskCounters counters;
  private final TurnThreads threads;
  private final BooleanSupplier inForce;
  private final QuickLock lock = new QuickLock();

  /** Guarded by the lock, as the fields below. */
  private final Disk scheduler;

  private final ClockWatch watch;

  /** In the order of their coming. */
  private final Set<Ticket> waiting = new LinkedHashSet<>();

  /** Those that have been let in, but have no thread. */
  private final Deque<Ticket> refused = new ArrayDeque<>();

  /** Also read without the lock. */
  private volatile long openUntil;

  /**
   * Makes the waits of a disk, of which there are none.
   *
   * @param clock is told whether somebody waits, and so looks at it
   * @param threads for what is done in the turns
   * @param inForce whether reads of any of its volumes take turns at present; nobody waits while
   *     not
   * @param scheduler makes a scheduler that the given object can call as it lets a read in
   */
  TurnWaits(
      VolumeLog log,
      VolumeClock clock,
      DiskCounters counters,
      TurnThreads threads,
      BooleanSupplier inForce,
      Function<Consumer<Claim>, Disk> scheduler) {
    this.log = log;
    this.clock = clock;
    this.counters = counters;
    this.threads = threads;
    this.inForce = inForce;
    this.openUntil = clock.getAsLong();
    this.watch = new ClockWatch(this, clock);
    this.scheduler = scheduler.apply(this::granted);
  }

  Disk scheduler() {
    return scheduler;
  }

  VolumeLog log() {
    return log;
  }

  // ---- the lock -----------------------------------------------------------------------------

  void lock() {
    lock.lock();
  }

  /** Gives the lock back, and makes sure that the clock is looked at in time. */
  void unlock() {
    try {
      endRefused();
      if (!waiting.isEmpty()) {
        watch();
      }
    } finally {
      lock.unlock();
    }
  }

  private void watch() {
    long now = clock.getAsLong();
    if (!watch.lookBy(now + untilDue(now))) {
      // Whoever waits looks at the end of the wait, and the next one to come tries again.
      warn(Warning.CLOCK, "there is no thread for it");
    }
  }

  /** The same of the clock's thread, which a log that blocks must not stop. */
  void unlockForTheClock() {
    lock.unlockAndGoOn();
  }

  /** Does something with the scheduler. */
  void locked(Runnable work) {
    locked(
        () -> {
          work.run();
          return null;
        });
  }

  /** Asks the scheduler something. */
  <T> T locked(Supplier<T> work) {
    lock();
    try {
      return work.get();
    } finally {
      unlock();
    }
  }

  /** Logs a warning when the calling thread, which has the lock, has given it back. */
  void warn(Warning kind, Object... details) {
    lock.afterwards(() -> log.warn(kind, details));
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
   * before and after that; the protocol is above.
   *
   * @param until when the wait ends at the latest
   */
  void await(Ticket ticket, long until) {
    assert ticket.waiter == null && ticket.work == null : "a claim waits once";
    ticket.waiter = Thread.currentThread();
    ticket.waitsUntil = until;
    waiting.add(ticket);
    try {
      while (ticket.isWaiting()) {
        long now = clock.getAsLong();
        if (mayWait(ticket, now)) {
          sleep(ticket, until - now);
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

  /** May return early. */
  private void sleep(Ticket ticket, long nanos) {
    assert lock.isHeld() : "others need the lock to wake it";
    assert waiting.contains(ticket) && ticket.waiter == Thread.currentThread() : "nobody wakes it";
    try {
      unlock();
      // What was put off may have blocked, and so taken the wake-up that was for the ticket.
      if (ticket.isWaiting() && !letsPass(ticket, clock.getAsLong())) {
        LockSupport.parkNanos(this, ticket.client.untilLook(nanos));
        ticket.client.look();
      }
    } finally {
      lock.lock();
    }
  }

  /**
   * Lets work be done as soon as its ticket has a turn. Needs the lock.
   *
   * @return whether that is now
   */
  boolean ask(Ticket ticket, TurnWork work, long now) {
    assert lock.isHeld() && ticket.waiter == null && ticket.work == null : "a claim waits once";
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
    assert lock.isHeld();
    if (ticket.work == null) {
      LockSupport.unpark(ticket.waiter);
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
      warn(Warning.REFUSED, threads.most());
      refused.add(ticket);
      lock.afterwards(work::withoutTurn);
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
    assert lock.isHeld();
    TurnWork work = ticket.work;
    if (work != null) {
      ticket.work = null;
      waiting.remove(ticket);
      waited(ticket);
      scheduler.withdraw(ticket, clock.getAsLong());
      lock.afterwards(work::withoutTurn);
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
      long seconds = TimeUnit.NANOSECONDS.toSeconds(ticket.longestWaitNanos);
      warn(Warning.OVERDUE, ticket.ioClass().shortName(), seconds);
    }
    if (stuck) {
      open(now);
    }
  }

  private void open(long now) {
    openUntil = now + OPEN_NANOS;
    warn(
        Warning.OPEN,
        TimeUnit.NANOSECONDS.toSeconds(OPEN_NANOS),
        TimeUnit.NANOSECONDS.toSeconds(Disk.LOST_NANOS));
    List.copyOf(waiting).forEach(this::endWait);
  }

  private void endWait(Ticket ticket) {
    LockSupport.unpark(ticket.waiter);
    cancel(ticket);
  }

  /** Of those whose volume has left mode turns, whether or not others on the disk have. */
  private void endWaitsOfOtherModes() {
    boolean all = !inForce.getAsBoolean();
    waiting.stream()
        .filter(each -> all || !each.inForce.getAsBoolean())
        .collect(Collectors.toList())
        .forEach(this::endWait);
  }

  /** The number of those that wait now for which something holds. */
  int waiting(Predicate<Claim> what) {
    return (int) waiting.stream().filter(Ticket::isWaiting).filter(what).count();
  }

  // ---- the clock ----------------------------------------------------------------------------

  /** Lets in what may go now, and ends the waits that have lasted too long. */
  void lookNow(long now) {
    endWaitsOfOtherModes();
    scheduler.poll(now);
    while (!waiting.isEmpty() && now - eldest().waitsUntil >= 0) {
      Ticket eldest = eldest();
      waiting.remove(eldest);
      if (eldest.work == null) {
        LockSupport.unpark(eldest.waiter);
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

  boolean isAnyWaiting() {
    return !waiting.isEmpty();
  }

  /** For how long the clock need not be looked at; somebody waits. */
  long untilDue(long now) {
    // Nobody tells when turns are not in force any more.
    long first = Math.min(eldest().waitsUntil - now, LOOK_NANOS);
    return Math.max(1, Math.min(first, scheduler.untilDue(now)));
  }

  /**
   * A read that has the disk waits for something else, and so will lose its turn if it is not back
   * soon. Called without the lock, as often as a client is slow.
   */
  void paused(long now) {
    if (scheduler.isLowerWaiting()) {
      watch.lookNowUnlessBy(now + Disk.GRACE_NANOS);
    }
  }
}
