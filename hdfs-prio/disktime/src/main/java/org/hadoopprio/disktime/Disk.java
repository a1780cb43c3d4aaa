// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.disktime;

import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * Decides which reads, and writes that take turns, may use one disk now. It has one clock and two
 * sides:
 *
 * <ul>
 *   <li>{@link RealtimeReads} go at once, within their share of disk time. While one is at the
 *       disk, turns rest: for {@link #MAX_HELD_BACK_NANOS} at most if it makes no progress, and not
 *       in the pauses that its share makes real-time take.
 *   <li>{@link Turns} of the other classes: streams, between them short reads and syncs.
 * </ul>
 *
 * <p>While a stream opens its files, turns rest ({@link StreamOpenings}). A read whose thread waits
 * for the kernel outside of a turn wants the disk, too ({@link FileUsers}).
 *
 * <p>What always holds ({@code DiskPropertyTest} checks it after each step of random loads of
 * 160,000 steps), <i>waiting</i> and <i>in</i> being sets of claims, <i>used</i> the disk time of a
 * class, and &Delta; what a step changes:
 *
 * <ul>
 *   <li>Places: turns &le; spindles, and one of a stream at most; a claim that is not real-time is
 *       in &hArr; it is part of a turn; no read of real-time is granted where {@link
 *       #REALTIME_DEPTH} parts are at the disk. One that resumes is not granted again.
 *   <li>Work-conserving: in = &empty; and one of another class waits, whose {@link Tenant} has not
 *       reached its limit &rArr; {@link #untilDue} &le; {@link #MAX_IDLE_NANOS}. Before that time
 *       nothing may go, but for {@link RealtimeReads#CONTENDED_NANOS}.
 *   <li>The longest wait: a turn of a stream begins at t, and one of the same class of the same
 *       tenant waits since before t - 10 s &rArr; the stream of the turn does so, too. When all
 *       that are in leave, and those that they let in, all have gone within 10 s, but for real-time
 *       reads that were held until then and find their share used up.
 *   <li>What is charged is what was used: 0 &le; &Delta;used(real-time) &le; &Delta;t, and 0 &le;
 *       &Delta;used(class) &le; &Delta;t &times; the reads of the class that were in.
 * </ul>
 *
 * <p>While others wait, nobody has more than his share in the long run: real-time uses at most
 * {@link RealtimeShare#of share} &times; t + {@link RealtimeAccount#BURST_NANOS}, with several
 * tenants as much for each ({@link RealtimeTenants}), and what was at the disk already; who shares
 * what it leaves is chosen by least used &divide; portion ({@link Share}), tenants by that and by
 * what they may ({@link TenantShare}). {@code RealtimeAccountTest}, {@code TurnOrderTest}, {@code
 * ShareTest} and {@code TenantTurnsTest} have that.
 *
 * <p>A pure state machine: it makes no thread wait and reads no time. Not thread-safe, but for what
 * is said to be: the caller has one lock for it. Times are nanoseconds of one monotonic clock.
 */
public final class Disk {

  /** A read that is in and was not seen for this time is regarded as lost, or as stuck. */
  public static final long LOST_NANOS = TimeUnit.SECONDS.toNanos(10);

  /** A read that is in and does not use the disk for this time loses its turn to others. */
  public static final long GRACE_NANOS = Turns.GRACE_NANOS;

  /** How many parts of real-time reads are at the disk when another one is granted, at most. */
  public static final int REALTIME_DEPTH = RealtimeReads.REALTIME_DEPTH;

  /** For how long a real-time read may hold others back while it is not seen to use the disk. */
  public static final long MAX_HELD_BACK_NANOS = RealtimeReads.MAX_HELD_BACK_NANOS;

  /**
   * How long real-time pauses at a time because it has used up its share; up to 2 s where the reads
   * before took so long to leave.
   */
  public static final long MAX_PAUSE_NANOS = RealtimeAccount.MAX_PAUSE_NANOS;

  /** How long nobody is in at most, in one go, while a read of another class waits. */
  static final long MAX_IDLE_NANOS = StreamOpenings.MAX_NANOS;

  private final RealtimeSigns signs;
  private final ServiceMeter meter = new ServiceMeter();
  private final StreamOpenings streamsOpening = new StreamOpenings();
  private final FileUsers fileUsers;
  private final Blame blame;
  private final Turns turns;
  private final RealtimeReads realtime;
  private volatile DiskSettings settings;
  private long at;

  /**
   * Makes a disk on which nothing is being read.
   *
   * @param streams how many streams may use the disk together, at least 1
   * @param granted called for each read that may go now; for a real-time one that may when it asks,
   *     only if it was held
   * @param device the disk's queue in the kernel
   */
  public Disk(
      DiskSettings settings,
      int streams,
      long now,
      DiskCounters counters,
      Consumer<Claim> granted,
      DeviceQueue device) {
    this.settings = settings;
    this.at = now;
    this.fileUsers = new FileUsers(now);
    this.signs = new RealtimeSigns(now);
    this.blame = new Blame(counters, () -> this.settings);
    HeldReads held = new HeldReads();
    Consumer<Claim> goes =
        claim -> {
          blame.ends(claim, at);
          granted.accept(claim);
        };
    this.turns =
        new Turns(streams, () -> this.settings, now, counters, goes, signs, held, meter, blame);
    this.realtime =
        new RealtimeReads(
            () -> this.settings,
            now,
            counters,
            goes,
            signs,
            held,
            meter,
            turns,
            new Others(turns, fileUsers, device, now));
  }

  /** Applies settings that may have changed. */
  public void setSettings(DiskSettings changed, long now) {
    advance(now);
    settings = changed;
    realtime.updateShare();
  }

  // ---- real-time ----------------------------------------------------------------------------

  /**
   * A real-time read, which does not wait, asks for the disk.
   *
   * @param opening whether it has to open its files first
   * @return whether it may go now; otherwise {@code granted} will be called for it
   */
  public boolean askRealtime(Claim claim, boolean opening, long now) {
    claim.checkRealtime(true).checkNotWaiting();
    advance(now);
    boolean goes = realtime.ask(claim, opening, now);
    if (realtime.isHeld(claim)) {
      // It may be due already.
      poll(now);
    }
    beginsToWait(claim);
    return goes || claim.isIn();
  }

  /**
   * How long a real-time read that asks now is expected to take, if that is longer than its latency
   * target leaves; otherwise 0. Asked for reads that are refused then: from time to time one is let
   * in to see whether the disk has got faster.
   */
  public long lateNanos(Claim claim, long now) {
    return realtime.lateNanos(claim, now);
  }

  /** A real-time read has opened its files and is about to read data from the disk. */
  public void opened(Claim claim, long now) {
    claim.checkRealtime(true).checkIn();
    advance(now);
    realtime.opened(claim, now);
  }

  /** A real-time read does not use the disk until {@link #opened} or {@link #resumed}. */
  public void paused(Claim claim, long now) {
    claim.checkRealtime(true).checkIn();
    advance(now);
    realtime.paused(claim, now);
  }

  /** A real-time read has a part in memory, and will ask for the next one when it has sent it. */
  public void sends(Claim claim, long now) {
    claim.checkRealtime(true).checkIn();
    advance(now);
    realtime.sends(claim, now);
  }

  /** A real-time read uses the disk again. */
  public void resumed(Claim claim, long now) {
    claim.checkRealtime(true).checkNotWaiting();
    advance(now);
    realtime.resumed(claim, now);
  }

  /** A real-time read needs the disk no more. */
  public void realtimeDone(Claim claim, long now) {
    claim.checkRealtime(true).checkNotWaiting();
    advance(now);
    if (claim.isIn()) {
      realtime.done(claim, now);
      poll(now);
    }
  }

  /** When requests that do not come from here were last seen. Read without the lock, too. */
  public long othersSeenAt() {
    return realtime.othersSeenAt();
  }

  /** Whether a real-time read waits, and is not held, while its share is used up. */
  public boolean isRealtimePaused(Claim claim) {
    return realtime.isPaused(claim);
  }

  // ---- other classes ------------------------------------------------------------------------

  /**
   * Whether a read that is in may make its next request without asking. Its owner calls this
   * without the lock; an answer that is late by one request does no harm.
   */
  public boolean mayContinue(Claim claim, long now) {
    claim.use.seen(now);
    return claim.isIn()
        && !signs.present
        && now >= signs.keptUntil
        && !streamsOpening.isHolding(now)
        && turns.mayContinue(claim, now);
  }

  /** A read of another class, which does not wait, is about to open its files. */
  public void opensFiles(Claim claim, long now) {
    claim.checkRealtime(false).checkOut();
    fileUsers.add(claim);
    claim.atFiles(now);
    // Nobody rests for idle, whose short reads are streams, too.
    if (claim.stream != null && !claim.isIdleClass()) {
      streamsOpening.add(claim, now);
    }
  }

  /** It has opened them, or has failed to. */
  public void filesOpened(Claim claim, long now) {
    claim.leavesFiles();
    streamsOpening.remove(claim, now);
    poll(now);
  }

  /** It has no files any more; does nothing if it had none. */
  public void filesClosed(Claim claim) {
    claim.leavesFiles();
    fileUsers.remove(claim);
  }

  /**
   * A read of another class, which does not wait, asks for the disk for its next request.
   *
   * @return whether it may go now; {@code granted} is called for it in both cases, before this
   *     returns or later
   */
  public boolean ask(Claim claim, long now) {
    claim.checkRealtime(false).checkNotWaiting();
    advance(now);
    turns.ask(claim, now);
    poll(now);
    beginsToWait(claim);
    return claim.isIn();
  }

  /** A read of another class needs the disk no more. */
  public void done(Claim claim, long now) {
    claim.checkRealtime(false).checkNotWaiting();
    advance(now);
    if (claim.isIn()) {
      turns.leave(claim, now);
      poll(now);
    }
  }

  /** A read stops waiting; it is not granted anything. */
  public void withdraw(Claim claim, long now) {
    advance(now);
    if (!claim.isWaiting()) {
      return;
    }
    blame.ends(claim, now);
    if (claim.isRealtime()) {
      realtime.withdraw(claim);
    } else {
      turns.withdraw(claim, now);
      poll(now);
    }
  }

  /**
   * About what the stream of a claim reads in a turn, in bytes. Read without the lock. Streams that
   * are this far ahead have what the disk reads for their tenant in one round in the page cache,
   * all together.
   */
  public long turnBytes(Claim claim, long now) {
    return turns.turnBytes(claim, now);
  }

  /**
   * For how much longer a write should have the disk in its turn, in nanoseconds, while streams,
   * short reads or syncs wait: a drive that answers when it has the data in its cache writes it in
   * the turns of others otherwise. 0 as long as no stream has shown how fast the disk is. Read
   * without the lock.
   */
  public long leftToWriteNanos(Claim claim, long now) {
    return turns.leftToWriteNanos(claim, now);
  }

  /** Whether a read of other classes is in, or waits. Read without the lock, too. */
  public boolean hasLower() {
    return turns.size() > 0;
  }

  /** Whether reads of other classes wait. Read without the lock. */
  public boolean isLowerWaiting() {
    return turns.waiting() > 0;
  }

  /** Whether it is one of several short reads that are in. */
  public boolean isOneOfSeveral(Claim claim) {
    return claim.isIn() && claim.stream == null && claim.turn.in > 1;
  }

  /** Whether one of other classes that has a turn reads. */
  public boolean isLowerRead() {
    return turns.in().isRead();
  }

  private void beginsToWait(Claim claim) {
    if (claim.isWaiting()) {
      blame.waits(claim);
    }
  }

  // ---- decisions ----------------------------------------------------------------------------

  /** Lets in what may go now; called after every change and when {@link #untilDue} has passed. */
  public void poll(long now) {
    advance(now);
    if (!realtime.dropLost(now)) {
      turns.dropLost(now);
    }
    realtime.poll(now);
    if (turns.waiting() == 0) {
      return;
    }
    if (holdsTurnsBack(now)) {
      long cost = turns.interrupt(now);
      if (!streamsOpening.isHolding(now)) {
        realtime.charge(cost);
      }
      return;
    }
    turns.goOn(now);
    if (turns.isOneFree() && realtime.goBefore(turns.longestNanos(now), now)) {
      poll(now);
    } else {
      turns.begin(now);
    }
  }

  /** Whether real-time, or a stream that opens its files, holds turns back. */
  private boolean holdsTurnsBack(long now) {
    streamsOpening.update(now);
    return streamsOpening.isHolding(now) || realtime.holdsTurns(now);
  }

  /** The nanoseconds until turns may go on if nothing happens. */
  private long untilTurnsGo(long now) {
    return streamsOpening.isHolding(now)
        ? streamsOpening.until() - now
        : realtime.untilTurnsGoOn(now);
  }

  /**
   * The nanoseconds after which {@link #poll} may let something in although nothing else happens:
   * no read comes, goes, or {@link Claim#pause pauses}.
   */
  public long untilDue(long now) {
    long due = realtime.untilDue(now);
    if (turns.waiting() > 0) {
      due = Math.min(due, holdsTurnsBack(now) ? untilTurnsGo(now) : turns.untilTurnsMayEnd(now));
    }
    long lostAt = Math.min(realtime.lostAt(now), turns.in().lostAt(now));
    return Math.max(Math.min(due, lostAt - now), 1);
  }

  private void advance(long now) {
    if (now > at) {
      turns.had(now - at - realtime.advance(at, now));
      at = now;
    }
  }

  /** Whether a read waits. */
  public boolean isAnyWaiting() {
    return waiting() > 0;
  }

  /** The reads that wait, of all classes. */
  public int waiting() {
    return turns.waiting() + realtime.waiting();
  }

  /** Whether no turn has begun for so long that something must be wrong. */
  public boolean isStuck(long now) {
    return now - Math.max(turns.begunAt(), signs.progressAt) >= LOST_NANOS
        && (turns.waiting() == 0 || turns.hasBeenAbleSince(now - LOST_NANOS));
  }

  /** The disk time that a class has used, in nanoseconds, that of reads which are in included. */
  public long usedNanos(DiskClass diskClass, long now) {
    advance(now);
    return turns.usedNanos(diskClass, now);
  }

  /** What the disk has needed for reads and turns. */
  public ServiceTimes serviceTimes() {
    return meter.times();
  }

  /** The reads that have waited for longer than {@link DiskSettings#slowNanos}. */
  public SlowReads slowReads() {
    return blame.slowReads();
  }
}
