// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.hdfs.datanode.scheduler;

import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.hadoopprio.metrics.ServiceTimes;

/**
 * Decides which reads of one volume may use its disk now. It has one clock and two sides:
 *
 * <ul>
 *   <li>{@link RealtimeReads} go at once, within their share of disk time. While one is at the
 *       disk, nothing of the other classes is sent to it.
 *   <li>{@link Turns} of the other classes: streams, between them short reads and syncs.
 * </ul>
 *
 * <p>While a stream opens its files, turns rest ({@link StreamOpenings}).
 *
 * <p>A pure state machine: it makes no thread wait and reads no time. Not thread-safe, but for what
 * is said to be. Times are nanoseconds of one monotonic clock.
 */
final class VolumeScheduler {

  /** A read that is in and was not seen for this time is regarded as lost, or as stuck. */
  static final long LOST_NANOS = TimeUnit.SECONDS.toNanos(10);

  private final RealtimeSigns signs;
  private final ServiceMeter meter = new ServiceMeter();
  private final StreamOpenings streamsOpening = new StreamOpenings();
  private final Turns turns;
  private final RealtimeReads realtime;
  private volatile SchedulerLimits limits;
  private long at;

  /**
   * Makes the scheduler of a volume on which nothing is being read.
   *
   * @param streams how many streams may use the disk together, at least 1
   * @param granted called for each read that waited and may go now
   * @param device the disk's queue in the kernel
   */
  VolumeScheduler(
      SchedulerLimits limits,
      int streams,
      long now,
      VolumeCounters counters,
      Consumer<Ticket> granted,
      DeviceQueue device) {
    this.limits = limits;
    this.at = now;
    this.signs = new RealtimeSigns(now);
    HeldReads held = new HeldReads();
    this.turns = new Turns(streams, () -> this.limits, now, counters, granted, signs, held, meter);
    this.realtime =
        new RealtimeReads(
            () -> this.limits, now, counters, granted, device, signs, held, meter, turns);
  }

  void setLimits(SchedulerLimits changed, long now) {
    advance(now);
    limits = changed;
    realtime.updateShare();
  }

  // ---- real-time ----------------------------------------------------------------------------

  /**
   * A real-time read asks for the disk.
   *
   * @param opening whether it has to open its files first
   * @return whether it may go now; otherwise {@code granted} will be called for it
   */
  boolean askRealtime(Ticket ticket, boolean opening, long now) {
    advance(now);
    boolean goes = realtime.ask(ticket, opening, now);
    if (realtime.isHeld(ticket)) {
      // It may be due already.
      poll(now);
    }
    return goes || ticket.state == Ticket.State.IN;
  }

  /**
   * How long a real-time read that asks now is expected to take, if that is longer than its latency
   * target leaves; otherwise 0. Asked for reads that are refused then: from time to time one is let
   * in to see whether the disk has got faster.
   */
  long lateNanos(Ticket ticket, long now) {
    return realtime.lateNanos(ticket, now);
  }

  /** A real-time read has opened its files and is about to read data from the disk. */
  void opened(Ticket ticket, long now) {
    advance(now);
    realtime.opened(ticket, now);
  }

  /** A real-time read does not use the disk until {@link #opened} or {@link #resumed}. */
  void paused(Ticket ticket, long now) {
    advance(now);
    realtime.paused(ticket, now);
  }

  /** A real-time read has a part in memory, and will ask for the next one when it has sent it. */
  void sends(Ticket ticket, long now) {
    advance(now);
    realtime.sends(ticket, now);
  }

  /** A real-time read uses the disk again. */
  void resumed(Ticket ticket, long now) {
    advance(now);
    realtime.resumed(ticket, now);
  }

  /** A real-time read needs the disk no more. */
  void realtimeDone(Ticket ticket, long now) {
    advance(now);
    if (ticket.state == Ticket.State.IN) {
      realtime.done(ticket, now);
      poll(now);
    }
  }

  /** When requests that do not come from here were last seen. Read without the lock, too. */
  long othersSeenAt() {
    return realtime.othersSeenAt();
  }

  /** Whether a real-time read waits because real-time has used up its share. */
  boolean isRealtimePaused(Ticket ticket) {
    return realtime.isPaused(ticket);
  }

  // ---- other classes ------------------------------------------------------------------------

  /**
   * Whether a read that is in may make its next request without asking. Its owner calls this
   * without the lock; an answer that is late by one request does no harm.
   */
  boolean mayContinue(Ticket ticket, long now) {
    ticket.seenAt = now;
    return ticket.state == Ticket.State.IN
        && !signs.present
        && now >= signs.keptUntil
        && !streamsOpening.isHolding(now)
        && turns.mayContinue(ticket, now);
  }

  /** A stream of another class is about to open its files. */
  void streamOpening(Ticket ticket, long now) {
    // Nobody rests for idle, whose short reads are streams, too.
    if (!ticket.isIdleClass()) {
      streamsOpening.add(ticket, now);
    }
  }

  /** It has opened them, or has failed to. */
  void streamOpened(Ticket ticket, long now) {
    streamsOpening.remove(ticket, now);
    poll(now);
  }

  /**
   * A read of another class asks for the disk for its next request.
   *
   * @return whether it may go now; otherwise {@code granted} will be called for it
   */
  boolean ask(Ticket ticket, long now) {
    advance(now);
    turns.ask(ticket, now);
    poll(now);
    return ticket.state == Ticket.State.IN;
  }

  /** A read of another class needs the disk no more. */
  void done(Ticket ticket, long now) {
    advance(now);
    if (ticket.state == Ticket.State.IN) {
      turns.leave(ticket, now);
      poll(now);
    }
  }

  /** A read stops waiting; it is not granted anything. */
  void withdraw(Ticket ticket, long now) {
    advance(now);
    if (ticket.state != Ticket.State.WAITING) {
      return;
    }
    if (ticket.isRealtime()) {
      realtime.withdraw(ticket);
    } else {
      turns.withdraw(ticket);
      poll(now);
    }
  }

  /**
   * About what a stream reads in a turn, in bytes. Read without the lock. Streams that are this far
   * ahead have what the disk reads in one round in the page cache, all together.
   */
  long turnBytes(long now) {
    return turns.length().bytes(now);
  }

  /** Whether other classes have a turn, or wait for one. Read without the lock, too. */
  boolean hasLower() {
    return turns.isAny();
  }

  /** Whether reads of other classes wait. Read without the lock. */
  boolean isLowerWaiting() {
    return turns.waiting() > 0;
  }

  /** Whether one of other classes that has a turn reads. */
  boolean isLowerRead() {
    return turns.isRead();
  }

  // ---- decisions ----------------------------------------------------------------------------

  /** Lets in what may go now; called after every change and when {@link #untilDue} has passed. */
  void poll(long now) {
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
    if (turns.isOneFree() && realtime.goBefore(turns.length().nanos(now), now)) {
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
   * no read comes, goes, or {@link Ticket#pause pauses}.
   */
  long untilDue(long now) {
    long due = realtime.untilDue(now);
    if (turns.waiting() > 0) {
      due = Math.min(due, holdsTurnsBack(now) ? untilTurnsGo(now) : turns.untilTurnsMayEnd(now));
    }
    long lostAt = Math.min(realtime.lostAt(now), turns.lostAt(now));
    return Math.max(Math.min(due, lostAt - now), 1);
  }

  private void advance(long now) {
    if (now > at) {
      realtime.advance(at, now);
      at = now;
    }
  }

  /** Whether a read waits. */
  boolean isAnyWaiting() {
    return waiting() > 0;
  }

  /** The reads that wait, of all classes. */
  int waiting() {
    return turns.waiting() + realtime.waiting();
  }

  /** Whether no turn has begun for so long that something must be wrong. */
  boolean isStuck(long now) {
    return now - Math.max(turns.begunAt(), signs.progressAt) >= LOST_NANOS;
  }

  /** The disk time that a class has used, in nanoseconds, that of reads which are in included. */
  long usedNanos(DiskClass diskClass, long now) {
    advance(now);
    return turns.usedNanos(diskClass, now);
  }

  /** What the disk has needed for reads and turns. */
  ServiceTimes serviceTimes() {
    return meter.times();
  }
}
