// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.disktime;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * The real-time reads of a disk. They go at once, at most {@link #REALTIME_DEPTH} together, within
 * their share of disk time while others wait ({@link RealtimeAccount}). One with a latency target
 * is held while others want the disk, until it has to begin ({@link HeldReads}). They are charged
 * for the disk time that they use, also for opening their files ({@link RealtimeOpenings}).
 *
 * <p>Not thread-safe: guarded by the lock. Times are nanoseconds of one monotonic clock.
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

  private final Supplier<DiskSettings> settings;
  private final Consumer<Claim> granted;
  private final DeviceQueue device;
  private final DiskCounters counters;
  private final RealtimeSigns signs;
  private final HeldReads held;
  private final ServiceMeter meter;
  private final Turns turns;
  private final RealtimeAccount account;
  private final KeptDisk kept;

  private final ReadTimes readTimes = new ReadTimes();
  private final Deque<Claim> waiting = new ArrayDeque<>();
  private final Deque<Claim> continuedWaiting = new ArrayDeque<>();
  private final Set<Claim> in = new LinkedHashSet<>();
  private final RealtimeOpenings opening = new RealtimeOpenings();
  private final RealtimeAtDisk atDisk = new RealtimeAtDisk();

  /** When requests that do not come from here were last seen; also read without the lock. */
  private volatile long othersSeenAt;

  /**
   * No real-time read.
   *
   * @param granted called for each read that waited and may go now
   * @param device see {@link Disk}
   * @param turns of the other classes
   */
  RealtimeReads(
      Supplier<DiskSettings> settings,
      long now,
      DiskCounters counters,
      Consumer<Claim> granted,
      DeviceQueue device,
      RealtimeSigns signs,
      HeldReads held,
      ServiceMeter meter,
      Turns turns) {
    this.settings = settings;
    this.counters = counters;
    this.granted = granted;
    this.device = device;
    this.signs = signs;
    this.held = held;
    this.meter = meter;
    this.turns = turns;
    this.account = new RealtimeAccount(settings.get().realtimeShare(), now);
    this.kept = new KeptDisk(signs, held, now);
    this.othersSeenAt = now - TimeUnit.MINUTES.toNanos(1);
  }

  /** The configured share may have changed. */
  void updateShare() {
    double atOnce = DiskCosts.requestNanos(RealtimeShare.sequentialBytes(device.readAheadBytes()));
    double wanted = demand(size() - continued(), continued(), atOnce);
    double others = demand(turns.shorts(), turns.size() - turns.shorts(), atOnce);
    signs.leastTurnNanos = Math.min(TurnLength.MIN_TURN_NANOS, (long) atOnce);
    account.setShare(RealtimeShare.of(settings.get().realtimeShare(), wanted, others));
  }

  /** What readers would ask of the disk together without priorities, one request each. */
  private static double demand(int random, int sequential, double sequentialNanos) {
    return random * DiskCosts.requestNanos(RealtimeShare.RANDOM_BYTES)
        + sequential * sequentialNanos;
  }

  /**
   * A real-time read asks for the disk.
   *
   * @param opening whether it has to open its files first
   * @return whether it may go now; otherwise {@code granted} will be called for it; one that is
   *     held may be due already
   */
  boolean ask(Claim claim, boolean opening, long now) {
    if (claim.isIn()) {
      // The next part of a read: nothing else goes in between.
      leave(claim, now);
    }
    claim.askedAt = now;
    claim.realtime.opening = opening;
    boolean forIt = kept.isFor(claim, now);
    if (!forIt && isHoldable(claim) && isContended(now)) {
      claim.waits();
      held.add(claim);
      findHeld();
      return false;
    }
    kept.asked(now);
    boolean contended = contended(now);
    RealtimeAccount.Gate gate = gate(claim);
    gate.openIfDue(now, isRealtimeAtDisk(now), contended);
    gate.closeIfDue(now, contended);
    Deque<Claim> before = waitingAtGate(claim);
    if (before.isEmpty() && mayPass(gate)) {
      if (isHoldable(claim) && forIt) {
        held.beginAlone(claim, now);
      } else if (isHoldable(claim)) {
        held.beginUncontended(claim);
      }
      enter(claim, now);
      return true;
    }
    claim.waits();
    before.add(claim);
    return false;
  }

  /**
   * How long a real-time read that asks now is expected to take, if that is longer than its latency
   * target leaves; otherwise 0. Asked for reads that are refused then: from time to time one is let
   * in to see whether the disk has got faster.
   */
  long lateNanos(Claim claim, long now) {
    long left = claim.demand.deadline - now;
    if (!claim.hasDeadline() || left < DiskCosts.LONE_READ_NANOS) {
      return 0;
    }
    long oldest = 0;
    for (Claim each : in) {
      if (each.realtime.counted) {
        oldest = Math.max(oldest, each.use.nanos(now));
      }
    }
    return readTimes.lateNanos(claim, left, oldest, now);
  }

  /** Whether a read has time, and is not the next part of one that has begun. */
  private static boolean isHoldable(Claim claim) {
    return claim.hasDeadline() && !claim.demand.continues;
  }

  private void findHeld() {
    signs.heldDueAt = held.isEmpty() ? Long.MAX_VALUE : held.dueAt();
  }

  private RealtimeAccount.Gate gate(Claim realtime) {
    return realtime.demand.continues ? account.continued : account.reads;
  }

  private Deque<Claim> waitingAtGate(Claim realtime) {
    return realtime.demand.continues ? continuedWaiting : waiting;
  }

  /** A real-time read has opened its files and is about to read data from the disk. */
  void opened(Claim claim, long now) {
    count(claim, now);
  }

  /** A real-time read does not use the disk until {@link #opened} or {@link #resumed}. */
  void paused(Claim claim, long now) {
    claim.use.pause(now);
    uncount(claim, now);
  }

  /** A real-time read has a part in memory, and will ask for the next one when it has sent it. */
  void sends(Claim claim, long now) {
    paused(claim, now);
    if (!signs.present) {
      kept.sends(now);
    }
  }

  /** A real-time read uses the disk again. */
  void resumed(Claim claim, long now) {
    claim.use.resume(now);
    if (claim.isIn()) {
      count(claim, now);
    }
  }

  /** A real-time read that is in needs the disk no more. */
  void done(Claim claim, long now) {
    leave(claim, now);
    if (claim.realtime.isMeasured()) {
      meter.read(claim.realtime.aloneNanos, claim.realtime.openNanos);
    }
    if (!signs.present && claim.realtime.usedDisk) {
      kept.left(claim, now);
    }
  }

  /** A read that waits stops waiting; it is not granted anything. */
  void withdraw(Claim claim) {
    claim.leave();
    readTimes.gone(claim);
    if (!held.remove(claim)) {
      waitingAtGate(claim).remove(claim);
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
      RealtimeAccount.Gate gate, Deque<Claim> before, boolean contended, long now) {
    gate.closeIfDue(now, contended && !before.isEmpty());
    gate.openIfDue(now, isRealtimeAtDisk(now), contended);
    while (!before.isEmpty() && mayPass(gate)) {
      Claim next = before.remove();
      enter(next, now);
      granted.accept(next);
    }
  }

  private void enter(Claim claim, long now) {
    claim.enter(now);
    in.add(claim);
    if (claim.realtime.opening) {
      opening.add(claim);
      signs.present = true;
    } else {
      count(claim, now);
    }
  }

  private void leave(Claim claim, long now) {
    if (claim.realtime.usedDisk) {
      turns.armAt(claim.demand.place);
    }
    if (claim.realtime.usedDisk && !claim.realtime.sequential) {
      readTimes.add(claim.use.nanos(now), now);
    }
    readTimes.gone(claim);
    uncount(claim, now);
    held.left(claim, now);
    in.remove(claim);
    claim.leave();
  }

  private void count(Claim claim, long now) {
    endOpening(claim, now);
    if (!claim.realtime.counted) {
      claim.realtime.counted = true;
      claim.realtime.usedDisk = true;
      claim.use.seen(now);
      atDisk.add(claim);
      signs.progressAt = now;
      signs.present = true;
      account.charge(turns.interrupt(now));
    }
  }

  private void uncount(Claim claim, long now) {
    endOpening(claim, now);
    if (claim.realtime.counted) {
      claim.realtime.counted = false;
      atDisk.remove(claim);
      signs.progressAt = now;
    }
    signs.present = !atDisk.isEmpty() || !opening.isEmpty();
  }

  private void endOpening(Claim claim, long now) {
    if (claim.realtime.opening) {
      claim.realtime.opening = false;
      opening.remove(claim, now);
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
    for (Claim claim : in) {
      if (claim.realtime.isAny() && now >= claim.lostAt()) {
        counters.lost();
        leave(claim, now);
        return true;
      }
    }
    return false;
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
    long due = Disk.LOST_NANOS;
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
    long lostAt = now + Disk.LOST_NANOS;
    for (Claim claim : in) {
      lostAt = claim.realtime.isAny() ? Math.min(lostAt, claim.lostAt()) : lostAt;
    }
    return lostAt;
  }

  /** Whether a read is held. */
  boolean isHeld(Claim claim) {
    return held.contains(claim);
  }

  /** Whether a real-time read waits because real-time has used up its share. */
  boolean isPaused(Claim claim) {
    return gate(claim).isClosed() && !held.contains(claim);
  }

  /** The reads that wait. */
  int waiting() {
    return waiting.size() + continuedWaiting.size() + held.size();
  }
}
