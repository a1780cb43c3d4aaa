// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.disktime;

import java.util.Optional;
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

  private final Supplier<DiskSettings> settings;
  private final Consumer<Claim> granted;
  private final DiskCounters counters;
  private final RealtimeSigns signs;
  private final HeldReads held;
  private final ServiceMeter meter;
  private final Turns turns;
  private final RealtimeAccount account;
  private final KeptDisk kept;

  private final ReadTimes readTimes = new ReadTimes();
  private final RealtimeTenants tenants;
  private final RealtimeIn in;
  private final Others others;

  /**
   * No real-time read.
   *
   * @param granted called for each read that waited and may go now
   * @param turns of the other classes
   * @param others who else wants the disk
   */
  RealtimeReads(
      Supplier<DiskSettings> settings,
      long now,
      DiskCounters counters,
      Consumer<Claim> granted,
      RealtimeSigns signs,
      HeldReads held,
      ServiceMeter meter,
      Turns turns,
      Others others) {
    this.settings = settings;
    this.counters = counters;
    this.granted = granted;
    this.signs = signs;
    this.held = held;
    this.meter = meter;
    this.turns = turns;
    this.account = new RealtimeAccount(settings.get().realtimeShare(), now);
    this.kept = new KeptDisk(signs, held, now);
    this.tenants = new RealtimeTenants(turns, account);
    this.in = new RealtimeIn(signs, tenants);
    this.others = others;
  }

  /** The configured share may have changed. */
  void updateShare() {
    double wanted = others.demandNanos(size() - continued(), continued());
    signs.leastTurnNanos = Math.min(TurnLength.MIN_TURN_NANOS, (long) others.sequentialNanos());
    account.setShare(
        RealtimeShare.of(settings.get().realtimeShare(), wanted, others.demandNanos()));
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
    tenants.asked(claim, now);
    boolean forIt = kept.isFor(claim, now);
    if (!forIt && isHoldable(claim) && others.want(now)) {
      claim.waits();
      held.add(claim);
      findHeld();
      return false;
    }
    kept.asked(now);
    boolean contended = contended(now);
    RealtimeAccount.Gate gate = gate(claim);
    gate.openIfDue(now, in.isAtDisk(now), contended);
    gate.closeIfDue(now, contended);
    if (!gate.waiting.has(claim.tenant()) && mayPass(gate, claim, now)) {
      if (isHoldable(claim) && forIt) {
        held.beginAlone(claim, now);
      } else if (isHoldable(claim)) {
        held.beginUncontended(claim);
      }
      enter(claim, now);
      return true;
    }
    claim.waits();
    gate.waiting.add(claim);
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
    return readTimes.lateNanos(claim, left, in.oldestNanos(now), now);
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

  /** A real-time read has opened its files and is about to read data from the disk. */
  void opened(Claim claim, long now) {
    atDisk(claim, now);
  }

  /** A real-time read does not use the disk until {@link #opened} or {@link #resumed}. */
  void paused(Claim claim, long now) {
    claim.use.pause(now);
    in.away(claim, now);
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
      atDisk(claim, now);
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
      gate(claim).waiting.remove(claim);
    }
    findHeld();
  }

  private boolean mayPass(RealtimeAccount.Gate gate, Claim claim, long now) {
    return in.parts() < REALTIME_DEPTH
        && (gate.isClosed() ? tenants.mayGoWithin(claim, now) : tenants.mayGo(claim, now));
  }

  private void pollGate(RealtimeAccount.Gate gate, boolean contended, long now) {
    gate.closeIfDue(now, contended && !gate.waiting.isEmpty());
    gate.openIfDue(now, in.isAtDisk(now), contended);
    for (Claim next = take(gate, now); next != null; next = take(gate, now)) {
      enter(next, now);
      granted.accept(next);
    }
  }

  private Claim take(RealtimeAccount.Gate gate, long now) {
    return gate.waiting.take(claim -> mayPass(gate, claim, now), tenants::virtualTime);
  }

  private void enter(Claim claim, long now) {
    claim.enter(now);
    in.add(claim);
    if (!claim.realtime.opening) {
      atDisk(claim, now);
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
    in.remove(claim, now);
    held.left(claim, now);
    claim.leave();
  }

  private void atDisk(Claim claim, long now) {
    if (in.atDisk(claim, now)) {
      account.charge(turns.interrupt(now));
    }
  }

  /** Lets in what may go now. */
  void poll(long now) {
    boolean contended = contended(now);
    if (!held.isEmpty() && (!contended || now >= signs.heldDueAt)) {
      account.reads.waiting.addAll(held.begin(contended, now));
      findHeld();
    }
    pollGate(account.reads, contended, now);
    pollGate(account.continued, contended, now);
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
    Optional<Claim> lost = in.lost(now);
    if (lost.isPresent()) {
      counters.lost();
      leave(lost.get(), now);
    }
    return lost.isPresent();
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
    if (in.isReading()) {
      // Also those that are still inside after the gate has closed: the kernel sends the drive
      // nothing of the others before they have ended, and a turn would be spent on waiting.
      return now - signs.progressAt < MAX_HELD_BACK_NANOS;
    }
    return !account.reads.isClosed()
        && (in.isOpeningAtDisk(now) || (!account.continued.isClosed() && now < signs.keptUntil));
  }

  /** The nanoseconds until turns may go on if nothing happens. */
  long untilTurnsGoOn(long now) {
    if (in.isReading()) {
      return signs.progressAt + MAX_HELD_BACK_NANOS - now;
    }
    return in.isAnyOpening() ? OPENING_NANOS : signs.keptUntil - now;
  }

  /** Accounts for the time since {@code from}; returns how much of it real-time had the disk. */
  long advance(long from, long now) {
    long taken = Math.max(0, takenNanos(from, now));
    in.used(taken);
    counters.used(DiskClass.REALTIME, taken);
    signs.had(taken, now - from);
    updateShare();
    tenants.advance(now - from, taken, account.share(), now);
    account.advance(now, taken, others.want(now));
    return taken;
  }

  private long takenNanos(long from, long now) {
    if (in.isReading() || in.diskNanos(from, now) > 0) {
      long begin = from + (account.reads.isClosed() ? 0 : turns.in().freeNanos(from, now));
      return in.diskNanos(begin, now);
    }
    if (account.reads.isClosed() || account.continued.isClosed()) {
      return 0;
    }
    long until = Math.min(now, signs.keptUntil);
    long begin = Math.max(from, turns.in().usedUntil(now));
    return until > begin ? until - begin : 0;
  }

  /** The reads at the disk, and those that wait for it; not those that need not begin yet. */
  private int size() {
    return in.size() + account.reads.waiting.size() + account.continued.waiting.size();
  }

  /** Those of them that go on where they were. */
  private int continued() {
    return in.sequential() + account.continued.waiting.size();
  }

  /** When requests that do not come from here were last seen. Read without the lock, too. */
  long othersSeenAt() {
    return others.seenAt();
  }

  private boolean contended(long now) {
    if (!others.want(now) && account.isOverdrawn()) {
      others.look(in.parts(), now);
    }
    return others.want(now);
  }

  /** The nanoseconds after which {@link #poll} may let something in although nothing happens. */
  long untilDue(long now) {
    long due = Disk.LOST_NANOS;
    // Others may stop waiting at any time.
    if (!held.isEmpty()) {
      due = Math.min(signs.heldDueAt - now, turns.waiting() > 0 ? due : CONTENDED_NANOS);
    }
    return Math.min(due, Math.min(untilDue(account.reads, now), untilDue(account.continued, now)));
  }

  private long untilDue(RealtimeAccount.Gate gate, long now) {
    boolean closed = gate.isClosed();
    boolean waits = !gate.waiting.isEmpty();
    // Of several tenants one may have passed a gate that is closed, and one wait at an open one.
    if (tenants.mayDelay(now) ? !closed && !waits : !closed || !waits) {
      return Disk.LOST_NANOS;
    }
    return closed ? Math.min(gate.untilDue(now), CONTENDED_NANOS) : CONTENDED_NANOS;
  }

  /** When the first of the reads that are in will be regarded as lost, at the earliest. */
  long lostAt(long now) {
    return in.lostAt(now);
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
    return account.reads.waiting.size() + account.continued.waiting.size() + held.size();
  }
}
