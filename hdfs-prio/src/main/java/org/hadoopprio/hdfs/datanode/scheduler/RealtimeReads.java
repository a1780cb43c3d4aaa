// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.hdfs.datanode.scheduler;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * The real-time reads of a volume. They go at once, at most {@link #REALTIME_DEPTH} together,
 * within their share of disk time while others wait ({@link RealtimeAccount}). One with a latency
 * target is held while others want the disk, until it has to begin ({@link HeldReads}). They are
 * charged for the disk time that they use, also for opening their files ({@link RealtimeOpenings}).
 *
 * <p>Not thread-safe: guarded by the volume's lock. Times are nanoseconds of one monotonic clock.
 */
final class RealtimeReads {

  /**
   * The most parts of real-time reads at the disk together, of 256 KiB or less: those in the queue
   * of a SATA drive, and as many that the kernel's I/O scheduler sorts behind them (nr_requests;
   * blk_mq_init_sched in block/blk-mq-sched.c). Fewer would be slower than stock, where all threads
   * go to the kernel.
   */
  static final int REALTIME_DEPTH = 64;

  /** How long a real-time read may open its files before others wait for it: they may be cached. */
  static final long OPENING_NANOS = TimeUnit.MICROSECONDS.toNanos(500);

  /**
   * How long others count as waiting after they used the disk: a reader pauses between requests.
   */
  static final long CONTENDED_NANOS = TimeUnit.MILLISECONDS.toNanos(3);

  /** The longest time for which real-time reads that do not finish hold others back. */
  static final long MAX_HELD_BACK_NANOS = TimeUnit.SECONDS.toNanos(1);

  /** How long requests that do not come from here count after they were seen. */
  static final long OTHERS_NANOS = TimeUnit.MILLISECONDS.toNanos(10);

  private final Supplier<SchedulerLimits> limits;
  private final Consumer<Ticket> granted;
  private final DeviceQueue device;
  private final VolumeCounters counters;
  private final RealtimeSigns signs;
  private final HeldReads held;
  private final ServiceMeter meter;
  private final Turns turns;
  private final RealtimeAccount account;
  private final KeptDisk kept;

  private final ReadTimes readTimes = new ReadTimes();
  private final Deque<Ticket> waiting = new ArrayDeque<>();
  private final Deque<Ticket> continuedWaiting = new ArrayDeque<>();
  private final Set<Ticket> in = new LinkedHashSet<>();
  private final RealtimeOpenings opening = new RealtimeOpenings();
  private final RealtimeAtDisk atDisk = new RealtimeAtDisk();

  /** When requests that do not come from here were last seen; also read without the lock. */
  private volatile long othersSeenAt;

  /**
   * No real-time read.
   *
   * @param granted called for each read that waited and may go now
   * @param device see {@link VolumeScheduler}
   * @param turns of the other classes
   */
  RealtimeReads(
      Supplier<SchedulerLimits> limits,
      long now,
      VolumeCounters counters,
      Consumer<Ticket> granted,
      DeviceQueue device,
      RealtimeSigns signs,
      HeldReads held,
      ServiceMeter meter,
      Turns turns) {
    this.limits = limits;
    this.counters = counters;
    this.granted = granted;
    this.device = device;
    this.signs = signs;
    this.held = held;
    this.meter = meter;
    this.turns = turns;
    this.account = new RealtimeAccount(limits.get().realtimeShare(), now);
    this.kept = new KeptDisk(signs, held, now);
    this.othersSeenAt = now - TimeUnit.MINUTES.toNanos(1);
  }

  /** The configured share may have changed. */
  void updateShare() {
    double atOnce = RealtimeShare.nanos(RealtimeShare.sequentialBytes(device.readAheadBytes()));
    double wanted = demand(size() - continued(), continued(), atOnce);
    double others = demand(turns.shorts(), turns.size() - turns.shorts(), atOnce);
    signs.leastTurnNanos = Math.min(TurnLength.MIN_TURN_NANOS, (long) atOnce);
    account.setShare(RealtimeShare.of(limits.get().realtimeShare(), wanted, others));
  }

  /** What readers would ask of the disk together without priorities, one request each. */
  private static double demand(int random, int sequential, double sequentialNanos) {
    return random * RealtimeShare.nanos(RealtimeShare.RANDOM_BYTES) + sequential * sequentialNanos;
  }

  /**
   * A real-time read asks for the disk.
   *
   * @param opening whether it has to open its files first
   * @return whether it may go now; otherwise {@code granted} will be called for it; one that is
   *     held may be due already
   */
  boolean ask(Ticket ticket, boolean opening, long now) {
    if (ticket.state == Ticket.State.IN) {
      // The next part of a read: nothing else goes in between.
      leave(ticket, now);
    }
    ticket.askedAt = now;
    ticket.opening = opening;
    boolean forIt = kept.isFor(ticket, now);
    if (!forIt && isHoldable(ticket) && isContended(now)) {
      ticket.state = Ticket.State.WAITING;
      held.add(ticket);
      findHeld();
      return false;
    }
    kept.asked(now);
    boolean contended = contended(now);
    RealtimeAccount.Gate gate = gate(ticket);
    gate.openIfDue(now, isRealtimeAtDisk(now), contended);
    gate.closeIfDue(now, contended);
    Deque<Ticket> before = waitingAtGate(ticket);
    if (before.isEmpty() && mayPass(gate)) {
      if (isHoldable(ticket) && forIt) {
        held.beginAlone(ticket, now);
      } else if (isHoldable(ticket)) {
        held.beginUncontended(ticket);
      }
      enter(ticket, now);
      return true;
    }
    ticket.state = Ticket.State.WAITING;
    before.add(ticket);
    return false;
  }

  /**
   * How long a real-time read that asks now is expected to take, if that is longer than its latency
   * target leaves; otherwise 0. Asked for reads that are refused then: from time to time one is let
   * in to see whether the disk has got faster.
   */
  long lateNanos(Ticket ticket, long now) {
    long left = ticket.deadline - now;
    if (!ticket.hasDeadline() || left < HeldReads.FIRST_NANOS) {
      return 0;
    }
    long oldest = 0;
    for (Ticket each : in) {
      if (each.counted) {
        oldest = Math.max(oldest, each.usedNanos(now));
      }
    }
    return readTimes.lateNanos(ticket, left, oldest, now);
  }

  /** Whether a read has time, and is not the next part of one that has begun. */
  private static boolean isHoldable(Ticket ticket) {
    return ticket.hasDeadline() && !ticket.continues;
  }

  private void findHeld() {
    signs.heldDueAt = held.isEmpty() ? Long.MAX_VALUE : held.dueAt();
  }

  private RealtimeAccount.Gate gate(Ticket realtime) {
    return realtime.continues ? account.continued : account.reads;
  }

  private Deque<Ticket> waitingAtGate(Ticket realtime) {
    return realtime.continues ? continuedWaiting : waiting;
  }

  /** A real-time read has opened its files and is about to read data from the disk. */
  void opened(Ticket ticket, long now) {
    count(ticket, now);
  }

  /** A real-time read does not use the disk until {@link #opened} or {@link #resumed}. */
  void paused(Ticket ticket, long now) {
    ticket.pause(now);
    uncount(ticket, now);
  }

  /** A real-time read has a part in memory, and will ask for the next one when it has sent it. */
  void sends(Ticket ticket, long now) {
    paused(ticket, now);
    if (!signs.present) {
      kept.sends(now);
    }
  }

  /** A real-time read uses the disk again. */
  void resumed(Ticket ticket, long now) {
    ticket.resume(now);
    if (ticket.state == Ticket.State.IN) {
      count(ticket, now);
    }
  }

  /** A real-time read that is in needs the disk no more. */
  void done(Ticket ticket, long now) {
    leave(ticket, now);
    if (ticket.usedDisk && !ticket.shared && !ticket.sequential) {
      meter.read(ticket.aloneNanos, ticket.openNanos);
    }
    if (!signs.present && ticket.usedDisk) {
      kept.left(ticket, now);
    }
  }

  /** A read that waits stops waiting; it is not granted anything. */
  void withdraw(Ticket ticket) {
    ticket.state = Ticket.State.OUT;
    readTimes.gone(ticket);
    if (!held.remove(ticket)) {
      waitingAtGate(ticket).remove(ticket);
    }
    findHeld();
  }

  private boolean isRealtimeAtDisk(long now) {
    return !atDisk.isEmpty() || opening.isAtDisk(now);
  }

  private boolean mayPass(RealtimeAccount.Gate gate) {
    return !gate.isClosed() && atDisk.parts() + opening.size() < REALTIME_DEPTH;
  }

  private void pollGate(
      RealtimeAccount.Gate gate, Deque<Ticket> before, boolean contended, long now) {
    gate.closeIfDue(now, contended && !before.isEmpty());
    gate.openIfDue(now, isRealtimeAtDisk(now), contended);
    while (!before.isEmpty() && mayPass(gate)) {
      Ticket next = before.remove();
      enter(next, now);
      granted.accept(next);
    }
  }

  private void enter(Ticket ticket, long now) {
    ticket.enter(now);
    ticket.sequential = ticket.continues;
    ticket.partsIn = ticket.parts;
    in.add(ticket);
    if (ticket.opening) {
      opening.add(ticket);
      signs.present = true;
    } else {
      count(ticket, now);
    }
  }

  private void leave(Ticket ticket, long now) {
    if (ticket.usedDisk) {
      turns.armAt(ticket.place);
    }
    if (ticket.usedDisk && !ticket.sequential) {
      readTimes.add(ticket.usedNanos(now), now);
    }
    readTimes.gone(ticket);
    uncount(ticket, now);
    held.left(ticket, now);
    in.remove(ticket);
    ticket.state = Ticket.State.OUT;
  }

  private void count(Ticket ticket, long now) {
    endOpening(ticket, now);
    if (!ticket.counted) {
      ticket.counted = true;
      ticket.usedDisk = true;
      ticket.seenAt = now;
      atDisk.add(ticket);
      signs.progressAt = now;
      signs.present = true;
      account.charge(turns.interrupt(now));
    }
  }

  private void uncount(Ticket ticket, long now) {
    endOpening(ticket, now);
    if (ticket.counted) {
      ticket.counted = false;
      atDisk.remove(ticket);
      signs.progressAt = now;
    }
    signs.present = !atDisk.isEmpty() || !opening.isEmpty();
  }

  private void endOpening(Ticket ticket, long now) {
    if (ticket.opening) {
      ticket.opening = false;
      opening.remove(ticket, now);
    }
  }

  /** Lets in what may go now. */
  void poll(long now) {
    boolean contended = contended(now);
    if (!held.isEmpty() && (!contended || now >= signs.heldDueAt)) {
      waiting.addAll(held.begin(contended, now));
      findHeld();
    }
    pollGate(account.reads, waiting, contended, now);
    pollGate(account.continued, continuedWaiting, contended, now);
  }

  /**
   * Whether reads that are held would end a turn of a length that begins now before its half. Then
   * they are due now, and the next {@link #poll} lets them begin.
   */
  boolean goBefore(long turnNanos, long now) {
    boolean before = !held.isEmpty() && signs.heldDueAt - now < turnNanos / 2;
    if (before) {
      signs.heldDueAt = now;
    }
    return before;
  }

  /** Drops one read that was not seen for too long; returns whether there was one. */
  boolean dropLost(long now) {
    for (Ticket ticket : in) {
      if (isUsing(ticket) && now >= ticket.lostAt()) {
        counters.lost();
        leave(ticket, now);
        return true;
      }
    }
    return false;
  }

  private static boolean isUsing(Ticket ticket) {
    return ticket.counted || ticket.opening;
  }

  /** Takes what real-time has cost others besides, in nanoseconds of disk time. */
  void charge(long nanos) {
    account.charge(nanos);
  }

  /** Whether real-time keeps turns from the disk. */
  boolean holdsTurns(long now) {
    if (account.reads.isPause()) {
      return false;
    }
    if (!atDisk.isEmpty()) {
      // Also those that are still inside after the gate has closed: the kernel sends the drive
      // nothing of the others before they have ended, and a turn would be spent on waiting.
      return now - signs.progressAt < MAX_HELD_BACK_NANOS;
    }
    return !account.reads.isClosed()
        && (opening.isAtDisk(now) || (!account.continued.isClosed() && now < signs.keptUntil));
  }

  /** The nanoseconds until turns may go on if nothing happens. */
  long untilTurnsGoOn(long now) {
    if (!atDisk.isEmpty()) {
      return signs.progressAt + MAX_HELD_BACK_NANOS - now;
    }
    return opening.isEmpty() ? signs.keptUntil - now : OPENING_NANOS;
  }

  /**
   * Accounts for the time that has passed.
   *
   * @param from until when that was done
   */
  void advance(long from, long now) {
    long taken = Math.max(0, takenNanos(from, now));
    if (!atDisk.isEmpty()) {
      atDisk.used(taken);
    }
    counters.used(DiskClass.REALTIME, taken);
    signs.had(taken, now - from);
    updateShare();
    account.advance(now, taken, isContended(now));
  }

  private long takenNanos(long from, long now) {
    if (!atDisk.isEmpty() || opening.diskNanos(from, now) > 0) {
      long begin = from + (account.reads.isClosed() ? 0 : turns.freeNanos(from, now));
      return !atDisk.isEmpty() ? now - begin : opening.diskNanos(begin, now);
    }
    if (account.reads.isClosed() || account.continued.isClosed()) {
      return 0;
    }
    long until = Math.min(now, signs.keptUntil);
    long begin = Math.max(from, turns.usedUntil(now));
    return until > begin ? until - begin : 0;
  }

  /** The reads at the disk, and those that wait for it; not those that need not begin yet. */
  private int size() {
    return atDisk.size() + opening.size() + waiting.size() + continuedWaiting.size();
  }

  /** Those of them that go on where they were. */
  private int continued() {
    return atDisk.sequential() + continuedWaiting.size();
  }

  /** Whether other classes, or requests that do not come from here, want the disk. */
  private boolean isContended(long now) {
    return turns.waiting() > 0
        || now - turns.usedUntil(now) <= CONTENDED_NANOS
        || now - othersSeenAt <= OTHERS_NANOS;
  }

  /** When requests that do not come from here were last seen. Read without the lock, too. */
  long othersSeenAt() {
    return othersSeenAt;
  }

  private boolean contended(long now) {
    if (!isContended(now)
        && account.isOverdrawn()
        && device.hasOthers(atDisk.parts() + opening.size())) {
      othersSeenAt = now;
    }
    return isContended(now);
  }

  /** The nanoseconds after which {@link #poll} may let something in although nothing happens. */
  long untilDue(long now) {
    long due = VolumeScheduler.LOST_NANOS;
    // Others may stop waiting at any time.
    if (!held.isEmpty()) {
      due = Math.min(signs.heldDueAt - now, turns.waiting() > 0 ? due : CONTENDED_NANOS);
    }
    if (!waiting.isEmpty() && account.reads.isClosed()) {
      due = Math.min(due, Math.min(account.reads.untilDue(now), CONTENDED_NANOS));
    }
    if (!continuedWaiting.isEmpty() && account.continued.isClosed()) {
      due = Math.min(due, Math.min(account.continued.untilDue(now), CONTENDED_NANOS));
    }
    return due;
  }

  /** When the first of the reads that are in will be regarded as lost, at the earliest. */
  long lostAt(long now) {
    long lostAt = now + VolumeScheduler.LOST_NANOS;
    for (Ticket ticket : in) {
      lostAt = isUsing(ticket) ? Math.min(lostAt, ticket.lostAt()) : lostAt;
    }
    return lostAt;
  }

  /** Whether a read is held. */
  boolean isHeld(Ticket ticket) {
    return held.contains(ticket);
  }

  /** Whether a real-time read waits because real-time has used up its share. */
  boolean isPaused(Ticket ticket) {
    return gate(ticket).isClosed() && !held.contains(ticket);
  }

  /** The reads that wait. */
  int waiting() {
    return waiting.size() + continuedWaiting.size() + held.size();
  }
}
