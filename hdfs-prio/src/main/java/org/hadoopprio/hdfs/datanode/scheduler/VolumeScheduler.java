package org.hadoopprio.hdfs.datanode.scheduler;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.IntPredicate;
import org.hadoopprio.linux.FileExtent;
import org.hadoopprio.metrics.ServiceTimes;

/**
 * Decides which reads of one volume may use its disk now.
 *
 * <ul>
 *   <li><b>Real-time</b> reads go at once, at most {@link #REALTIME_DEPTH} together, within their
 *       share of disk time while others wait ({@link RealtimeAccount}). While one is at the disk,
 *       nothing of the other classes is sent to it. One with a latency target is held while others
 *       want the disk, until it has to begin ({@link HeldReads}).
 *   <li>Other <b>streams</b> take turns: one at a time on a single spindle, for a number of bytes
 *       or a time, so that the disk reads in long runs. The next turn goes to the nearest of the
 *       streams that have used about least of the disk for their weight.
 *   <li><b>Short</b> reads and syncs of the other classes go together between two turns, and have
 *       every second turn at most. While one of a greater weight than the stream's waits, the
 *       stream's turn is shorter; and after such a sync the next one is awaited for a moment. One
 *       whose latency target is near makes the stream's turn as short as it may be.
 *   <li>While a stream opens its files, turns rest ({@link StreamOpenings}).
 *   <li>A read that does not use the disk for {@link #GRACE_NANOS} loses its turn to those that
 *       wait.
 * </ul>
 *
 * <p>A pure state machine, driven by a clock: it makes no thread wait and reads no time. Not
 * thread-safe, but for {@link #mayContinue}. Times are nanoseconds of one monotonic clock.
 */
final class VolumeScheduler {

  /**
   * The most real-time reads at the disk together: those in the queue of a SATA drive, and as many
   * that the kernel's I/O scheduler sorts behind them (nr_requests; blk_mq_init_sched in
   * block/blk-mq-sched.c). Fewer would be slower than stock, where all threads go to the kernel.
   */
  static final int REALTIME_DEPTH = 64;

  /** The most short reads of other classes at the disk together: a drive picks the nearest. */
  static final int SHORT_DEPTH = 4;

  /** How long a turn outlasts the last use of the disk. */
  static final long GRACE_NANOS = TimeUnit.MILLISECONDS.toNanos(1);

  /** How long a real-time read may open its files before others wait for it: they may be cached. */
  static final long OPENING_NANOS = TimeUnit.MICROSECONDS.toNanos(500);

  /**
   * How long other classes count as waiting after their last use of the disk: a single reader has
   * no request outstanding for a moment between two requests.
   */
  static final long CONTENDED_NANOS = TimeUnit.MILLISECONDS.toNanos(3);

  /** The longest time for which real-time reads that do not finish hold others back. */
  static final long MAX_HOLD_NANOS = TimeUnit.SECONDS.toNanos(1);

  /** How long a request of another class may take that was at the disk before real-time. */
  static final long MAX_FREE_NANOS = TimeUnit.MILLISECONDS.toNanos(20);

  /** The bytes for which {@link #partNanos} are charged. */
  private static final double PART_BYTES = ScheduledRead.REALTIME_BYTES;

  /** How many times that the longest part has. */
  private static final double MAX_PARTS = ScheduledRead.CONTINUED_BYTES / PART_BYTES;

  /**
   * What a sequential real-time read is charged for {@link #PART_BYTES} at least, as long as no
   * stream has had a turn: the time in which a hard disk reads that on its outer tracks, at 240
   * MB/s.
   */
  static final long PART_NANOS = TimeUnit.MICROSECONDS.toNanos(1_090);

  /** The most: a turn in which the disk hung shows nothing. */
  private static final double MAX_PART_NANOS = 8.0 * PART_NANOS;

  /** The turns that show how fast the disk reads: in shorter ones most of the time is a seek. */
  private static final long MEASURED_BYTES = 2 << 20;

  /** What a stream reads in its turn, seeks included: some 160 MB/s. */
  private static final double BYTES_PER_NANO = 0.16;

  /** How long requests that do not come from here count after they were seen. */
  static final long OTHERS_NANOS = TimeUnit.MILLISECONDS.toNanos(10);

  /** A reader that asks for its next read within this time keeps the disk meanwhile. */
  static final long MAX_THINK_NANOS = TimeUnit.MILLISECONDS.toNanos(4);

  /**
   * Turns get shorter with many streams, so that each has one within about this time, if no
   * real-time reads come between. 16 streams on stock Hadoop wait as long at times.
   */
  static final long CYCLE_NANOS = TimeUnit.MILLISECONDS.toNanos(800);

  /** The same while real-time reads come, which end many turns before their time. */
  static final long REALTIME_CYCLE_NANOS = TimeUnit.SECONDS.toNanos(1);

  /** How long real-time counts as coming after its last read. */
  private static final long RECENT_NANOS = TimeUnit.SECONDS.toNanos(1);

  /** The shortest turn: half of it may be a seek. */
  static final long MIN_TURN_NANOS = TimeUnit.MILLISECONDS.toNanos(20);

  /** How many times as long as the stream's turn after it a turn of short reads is, at most. */
  private static final int SHORT_TO_STREAMS = 2;

  /** A read that has waited for this time goes next; one of idle by {@link GroupChoice}. */
  static final long OLD_NANOS = TimeUnit.SECONDS.toNanos(10);

  /** A sync holds others back for this time: how much it has to write is not known before. */
  static final long MAX_SYNC_NANOS = TimeUnit.SECONDS.toNanos(1);

  /** A read that is in and was not seen for this time is regarded as lost, or as stuck. */
  static final long LOST_NANOS = TimeUnit.SECONDS.toNanos(10);

  private final int streams;
  private final Consumer<Ticket> granted;
  private final IntPredicate othersWait;
  private final VolumeCounters counters;
  private final RealtimeAccount account;
  private volatile SchedulerLimits limits;

  private final HeldReads held = new HeldReads();
  private final ReadTimes readTimes = new ReadTimes();

  /** When those have to begin, or {@link Long#MAX_VALUE}; also read without the lock. */
  private volatile long heldDueAt = Long.MAX_VALUE;

  private final Deque<Ticket> realtimeWaiting = new ArrayDeque<>();
  private final Deque<Ticket> continuedWaiting = new ArrayDeque<>();
  private final Set<Ticket> realtimeIn = new LinkedHashSet<>();
  private final RealtimeOpenings opening = new RealtimeOpenings();

  /** Real-time reads at the disk. */
  private int realtimeBusy;

  private final ServiceMeter meter = new ServiceMeter();

  /** The one that came to the disk when no other was there; null if it has left. */
  private Ticket firstBusy;

  /** What real-time was charged when it came. */
  private long firstBusyAt;

  /** What real-time was charged while reads of it were at the disk, in nanoseconds. */
  private long busyNanos;

  /** When a real-time read last came to the disk or left it; also read without the lock. */
  private volatile long realtimeProgressAt;

  private long realtimeLeftAt;

  /** Whether no real-time read has asked since {@link #realtimeLeftAt}. */
  private boolean thinking;

  /**
   * Until then the disk is kept for the reader that has just left; see {@link #MAX_THINK_NANOS}.
   */
  private volatile long heldForNextUntil = Long.MIN_VALUE;

  private double thinkNanos = MAX_THINK_NANOS * 4.0;

  /**
   * What a sequential real-time read is charged for {@link #PART_BYTES} at least: what streams,
   * too, need for as much. The kernel reads ahead while the read's thread is not at the disk.
   */
  private double partNanos = PART_NANOS;

  /** What real-time was charged since the last part of a sequential read, at most the longest's. */
  private long chargedNanos;

  private final StreamOpenings streamsOpening = new StreamOpenings();

  private final Set<Ticket> lowerIn = new LinkedHashSet<>();
  private final List<Turn> turns = new ArrayList<>();

  /** The number of turns now; also read without the lock. */
  private volatile int turnsNow;

  private final StreamGroup bestEffort = new StreamGroup();
  private final StreamGroup idle = new StreamGroup();
  private final GroupChoice groups = new GroupChoice(bestEffort, idle);
  private final ShortReads shorts = new ShortReads(held);
  private boolean lastWasShort;

  /** How long short reads had the disk in their last turn; also read without the lock. */
  private volatile long lastShortNanos;

  private double groupsNow;
  private long lowerAtDisk;

  /** How long real-time has had the disk for nothing since a lower read last came or went. */
  private long freeNanos;

  private long turnBegunAt;

  /** Where on the device the last read was that has left, if that is known. */
  private long arm = FileExtent.UNKNOWN;

  /** When requests that do not come from here were last seen. */
  private long othersSeenAt;

  private long at;

  /** Read by {@link #mayContinue} without the lock. */
  private volatile boolean realtimePresent;

  /** The number of reads of other classes that wait; also read without the lock. */
  private volatile int lowerWaiting;

  /**
   * Makes the scheduler of a volume on which nothing is being read.
   *
   * @param streams how many streams may use the disk together, at least 1
   * @param granted called for each read that waited and may go now
   * @param othersWait whether the disk has requests that do not come from here, given the number of
   *     real-time reads that do; asked only when real-time has used up its share
   */
  VolumeScheduler(
      SchedulerLimits limits,
      int streams,
      long now,
      VolumeCounters counters,
      Consumer<Ticket> granted,
      IntPredicate othersWait) {
    this.limits = limits;
    this.streams = streams;
    this.counters = counters;
    this.granted = granted;
    this.othersWait = othersWait;
    this.account = new RealtimeAccount(limits.realtimeShare(), now);
    this.at = now;
    this.realtimeLeftAt = now;
    this.realtimeProgressAt = now - RECENT_NANOS;
    this.lowerAtDisk = now - CONTENDED_NANOS - 1;
    this.othersSeenAt = now - OTHERS_NANOS - 1;
    this.turnBegunAt = now;
  }

  void setLimits(SchedulerLimits changed, long now) {
    advance(now);
    limits = changed;
    account.setShare(RealtimeShare.of(changed.realtimeShare(), realtime(), lower()));
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
    if (ticket.state == Ticket.State.IN) {
      // The next part of a read: nothing else goes in between.
      leaveRealtime(ticket, now);
      chargePart(ticket.partBytes);
    }
    ticket.askedAt = now;
    ticket.opening = opening;
    boolean kept = now < heldForNextUntil && held.isAwaited(ticket);
    if (!kept && mayBeHeld(ticket, now)) {
      ticket.state = Ticket.State.WAITING;
      held.add(ticket);
      findHeld();
      poll(now);
      return ticket.state == Ticket.State.IN;
    }
    if (thinking) {
      thinking = false;
      double think = (double) Math.min(now - realtimeLeftAt, 8 * MAX_THINK_NANOS);
      thinkNanos += (think - thinkNanos) / 8;
    }
    boolean contended = contended(now);
    RealtimeAccount.Gate gate = gate(ticket);
    gate.openIfDue(now, isRealtimeAtDisk(now), contended);
    gate.closeIfDue(now, contended);
    Deque<Ticket> before = waitingAtGate(ticket);
    if (before.isEmpty() && mayPass(gate)) {
      if (ticket.hasDeadline() && !ticket.continues) {
        begin(ticket, kept, now);
      }
      enterRealtime(ticket, now);
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
    for (Ticket each : realtimeIn) {
      if (each.counted) {
        oldest = Math.max(oldest, each.usedNanos(now));
      }
    }
    return readTimes.lateNanos(left, oldest, now);
  }

  private boolean mayBeHeld(Ticket ticket, long now) {
    return ticket.hasDeadline() && !ticket.continues && contendedHere(now);
  }

  private void begin(Ticket target, boolean kept, long now) {
    if (kept) {
      held.beginAlone(target, now);
    } else {
      held.beginUncontended(target);
    }
  }

  private void pollHeld(boolean contended, long now) {
    if (!held.isEmpty() && (!contended || now >= heldDueAt)) {
      realtimeWaiting.addAll(held.begin(contended, now));
      findHeld();
    }
  }

  private void findHeld() {
    heldDueAt = held.isEmpty() ? Long.MAX_VALUE : held.dueAt();
  }

  private RealtimeAccount.Gate gate(Ticket realtime) {
    return realtime.continues ? account.continued : account.reads;
  }

  private Deque<Ticket> waitingAtGate(Ticket realtime) {
    return realtime.continues ? continuedWaiting : realtimeWaiting;
  }

  /** A real-time read has opened its files and is about to read data from the disk. */
  void opened(Ticket ticket, long now) {
    advance(now);
    count(ticket, now);
  }

  /** A real-time read does not use the disk until {@link #opened} or {@link #resumed}. */
  void paused(Ticket ticket, long now) {
    advance(now);
    ticket.pause(now);
    uncount(ticket, now);
  }

  /** A real-time read uses the disk again. */
  void resumed(Ticket ticket, long now) {
    advance(now);
    ticket.resume(now);
    if (ticket.state == Ticket.State.IN) {
      count(ticket, now);
    }
  }

  /** A real-time read needs the disk no more. */
  void realtimeDone(Ticket ticket, long now) {
    advance(now);
    if (ticket.state == Ticket.State.IN) {
      leaveRealtime(ticket, now);
      if (ticket.usedDisk && !ticket.shared && !ticket.continues) {
        meter.read(ticket.aloneNanos, ticket.openNanos);
      }
      if (!realtimePresent && ticket.usedDisk) {
        keepForNext(ticket, now);
      }
      poll(now);
    }
  }

  private void keepForNext(Ticket left, long now) {
    if (!left.hasDeadline()) {
      realtimeLeftAt = now;
      thinking = true;
      heldForNextUntil =
          thinkNanos <= MAX_THINK_NANOS ? now + (long) (1.5 * thinkNanos) : Long.MIN_VALUE;
      held.awaitAny();
    } else if (left.following > 0) {
      // It has said that it comes back, so one that takes longer than most is waited for, too.
      heldForNextUntil = held.awaitNext(now);
    }
  }

  /** So many bytes of a sequential real-time read are done; the kernel has read on meanwhile. */
  void partDone(long bytes, long now) {
    advance(now);
    chargePart(bytes);
  }

  private void chargePart(long bytes) {
    long owed = Math.max(0, (long) (partNanos * bytes / PART_BYTES) - chargedNanos);
    chargedNanos = 0;
    counters.used(DiskClass.REALTIME, owed);
    account.charge(owed);
  }

  /** Whether real-time reads come to the disk at present. Read without the lock. */
  boolean hasRealtime(long now) {
    return now - realtimeProgressAt < RECENT_NANOS;
  }

  private boolean isRealtimeAtDisk(long now) {
    return realtimeBusy > 0 || opening.isAtDisk(now);
  }

  private boolean mayPass(RealtimeAccount.Gate gate) {
    return !gate.isClosed() && realtimeBusy + opening.size() < REALTIME_DEPTH;
  }

  private void pollGate(
      RealtimeAccount.Gate gate, Deque<Ticket> before, boolean contended, long now) {
    gate.closeIfDue(now, contended && !before.isEmpty());
    gate.openIfDue(now, isRealtimeAtDisk(now), contended);
    while (!before.isEmpty() && mayPass(gate)) {
      Ticket next = before.remove();
      enterRealtime(next, now);
      granted.accept(next);
    }
  }

  private void enterRealtime(Ticket ticket, long now) {
    ticket.enter(now);
    realtimeIn.add(ticket);
    if (ticket.opening) {
      opening.add(ticket);
      realtimePresent = true;
    } else {
      count(ticket, now);
    }
  }

  private void leaveRealtime(Ticket ticket, long now) {
    if (ticket.usedDisk) {
      arm = ticket.place;
    }
    if (ticket.usedDisk && !ticket.continues) {
      readTimes.add(ticket.usedNanos(now), now);
    }
    uncount(ticket, now);
    held.left(ticket, now);
    realtimeIn.remove(ticket);
    ticket.state = Ticket.State.OUT;
  }

  private void count(Ticket ticket, long now) {
    endOpening(ticket, now);
    if (!ticket.counted) {
      ticket.counted = true;
      ticket.usedDisk = true;
      ticket.seenAt = now;
      if (realtimeBusy == 0) {
        firstBusy = ticket;
        firstBusyAt = busyNanos;
      } else {
        ticket.shared = true;
        if (firstBusy != null) {
          firstBusy.shared = true;
        }
      }
      realtimeBusy++;
      realtimeProgressAt = now;
      realtimePresent = true;
      interruptTurns();
    }
  }

  private void uncount(Ticket ticket, long now) {
    endOpening(ticket, now);
    if (ticket.counted) {
      ticket.counted = false;
      if (ticket == firstBusy) {
        ticket.aloneNanos += busyNanos - firstBusyAt;
        firstBusy = null;
      }
      realtimeBusy--;
      realtimeProgressAt = now;
    }
    realtimePresent = realtimeBusy > 0 || !opening.isEmpty();
  }

  private void endOpening(Ticket ticket, long now) {
    if (ticket.opening) {
      ticket.opening = false;
      opening.remove(ticket, now);
    }
  }

  // ---- other classes ------------------------------------------------------------------------

  /**
   * Whether a read that is in may make its next request without asking. Its owner calls this
   * without the lock; an answer that is late by one request does no harm.
   */
  boolean mayContinue(Ticket ticket, long now) {
    ticket.seenAt = now;
    return ticket.state == Ticket.State.IN
        && !realtimePresent
        && now >= heldForNextUntil
        && !streamsOpening.isHolding(now)
        && (lowerWaiting == 0 || !isUsedUp(ticket, now));
  }

  private boolean isUsedUp(Ticket ticket, long now) {
    Turn turn = ticket.turn;
    return turn == null
        || (turn.interrupted && turn.bytes + ticket.bytes > 0)
        || turn.bytes + ticket.bytes >= limits.turnBytes()
        || turn.usedNanos + ticket.usedNanos(now) >= turnNanos(turn, now);
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
    if (ticket.state == Ticket.State.IN) {
      leave(ticket, now);
    }
    ticket.askedAt = now;
    ticket.state = Ticket.State.WAITING;
    wait(ticket, now);
    poll(now);
    return ticket.state == Ticket.State.IN;
  }

  /** A read of another class needs the disk no more. */
  void done(Ticket ticket, long now) {
    advance(now);
    if (ticket.state == Ticket.State.IN) {
      leave(ticket, now);
      poll(now);
    }
  }

  /** A read stops waiting; it is not granted anything. */
  void withdraw(Ticket ticket, long now) {
    advance(now);
    if (ticket.state != Ticket.State.WAITING) {
      return;
    }
    ticket.state = Ticket.State.OUT;
    if (ticket.isRealtime()) {
      if (!held.remove(ticket)) {
        waitingAtGate(ticket).remove(ticket);
      }
      findHeld();
      return;
    }
    countWaiting(-1);
    if (ticket.stream == null) {
      shorts.remove(ticket);
    } else {
      ticket.stream.waiting.remove(ticket);
      if (ticket.stream.waiting.isEmpty() && ticket.stream.group != null) {
        ticket.stream.group.remove(ticket.stream);
      }
    }
    poll(now);
  }

  private void countWaiting(int change) {
    int before = lowerWaiting;
    lowerWaiting = before + change;
  }

  private StreamGroup group(Ticket ticket) {
    return ticket.isIdleClass() ? idle : bestEffort;
  }

  private void wait(Ticket ticket, long now) {
    countWaiting(1);
    Stream stream = ticket.stream;
    if (stream == null) {
      shorts.add(ticket);
      return;
    }
    stream.waiting.add(ticket);
    if (stream.turn == null && stream.waiting.size() == 1) {
      join(group(ticket), stream, now);
    }
  }

  private void join(StreamGroup group, Stream stream, long now) {
    long turnNanos = turnNanos(now);
    if (group.isEmpty()) {
      // As for a stream, but idle's turns are the dearest.
      double credit = group.isResting(now) ? turnNanos / limits.idleShare() : 0;
      group.virtualTime = Math.max(group.virtualTime, groupsNow - credit);
    }
    group.add(stream, now, turnNanos);
  }

  private void enter(Ticket ticket, Turn turn, long now) {
    countWaiting(-1);
    ticket.turn = turn;
    ticket.enter(now);
    freeNanos = 0;
    turn.in++;
    lowerIn.add(ticket);
    granted.accept(ticket);
  }

  private void leave(Ticket ticket, long now) {
    ticket.state = Ticket.State.OUT;
    arm = ticket.place;
    freeNanos = 0;
    lowerIn.remove(ticket);
    long nanos = ticket.usedNanos(now);
    long since = ticket.idleSince;
    lowerAtDisk = Math.max(lowerAtDisk, since == Ticket.BUSY ? now : since);
    counters.used(DiskClass.of(ticket.ioClass), nanos);
    Turn turn = ticket.turn;
    turn.in--;
    turn.usedNanos += nanos;
    turn.bytes += ticket.bytes;
    turn.emptySince = since == Ticket.BUSY ? now : since;
    ticket.turn = null;
    if (turn.stream == null) {
      turn.syncWeight = ticket.writes ? ticket.weight : 0;
    } else {
      double share = turn.group == idle ? limits.idleShare() : 1 - limits.idleShare();
      // A stream owes nothing for the time in which it had the disk to itself.
      long charged = Math.min(nanos, limits.turnNanos());
      turn.group.charge(turn.stream, ticket.portion(), share, charged, now);
    }
  }

  // ---- decisions ----------------------------------------------------------------------------

  /** Lets in what may go now; called after every change and when {@link #untilDue} has passed. */
  void poll(long now) {
    advance(now);
    dropLost(now);
    boolean contended = contended(now);
    pollHeld(contended, now);
    pollGate(account.reads, realtimeWaiting, contended, now);
    pollGate(account.continued, continuedWaiting, contended, now);
    if (lowerWaiting > 0 && isHeld(now)) {
      interruptTurns();
    } else if (lowerWaiting > 0) {
      endTurns(now);
      for (Turn turn : turns) {
        enterAll(turn, now);
      }
      if (turns.size() < streams && wouldBeCutShort(now)) {
        heldDueAt = now;
        poll(now);
      } else {
        beginTurns(now);
      }
    }
  }

  private void interruptTurns() {
    for (Turn turn : turns) {
      turn.interrupted = true;
    }
  }

  /** Whether real-time, or a stream that opens its files, holds turns back. */
  private boolean isHeld(long now) {
    streamsOpening.update(now);
    if (streamsOpening.isHolding(now)) {
      return true;
    }
    if (account.reads.isClosed()) {
      return false;
    }
    if (realtimeBusy > 0) {
      return now - realtimeProgressAt < MAX_HOLD_NANOS;
    }
    return opening.isAtDisk(now) || (!account.continued.isClosed() && now < heldForNextUntil);
  }

  private void endTurns(long now) {
    for (Ticket ticket : List.copyOf(lowerIn)) {
      long since = ticket.idleSince;
      if (since != Ticket.BUSY && now - since >= GRACE_NANOS) {
        leave(ticket, now);
      }
    }
    for (Iterator<Turn> each = turns.iterator(); each.hasNext(); ) {
      Turn turn = each.next();
      if (turn.in == 0 && isOver(turn, now)) {
        each.remove();
        turnsNow = turns.size();
        end(turn, now);
      }
    }
  }

  private void end(Turn turn, long now) {
    if (turn.bytes >= MEASURED_BYTES && !turn.interrupted) {
      double nanos = turn.usedNanos * PART_BYTES / turn.bytes;
      partNanos += (Math.min(nanos, MAX_PART_NANOS) - partNanos) / 8;
    }
    Stream stream = turn.stream;
    if (stream == null) {
      lastShortNanos = turn.emptySince - turn.begunAt;
    } else {
      if (turn.bytes >= MEASURED_BYTES && !turn.interrupted) {
        meter.turn(turn.usedNanos, turn.bytes);
      }
      stream.turn = null;
      if (!stream.waiting.isEmpty()) {
        join(turn.group, stream, now);
      }
    }
  }

  /** Whether a turn of which no read is in is over. */
  private boolean isOver(Turn turn, long now) {
    if (turn.stream == null) {
      return now - turn.begunAt >= turnNanos(now) || (shorts.isEmpty() && !isAwaited(turn, now));
    }
    if (turn.stream.waiting.isEmpty()) {
      return now - turn.emptySince >= GRACE_NANOS;
    }
    return isSpent(turn, now);
  }

  /** Whether the reads of a stream's turn that have left have used it up. */
  private boolean isSpent(Turn turn, long now) {
    // A turn that was interrupted before it has read any data is worth nothing to its stream.
    return (turn.interrupted && turn.bytes > 0)
        || turn.usedNanos >= turnNanos(turn, now)
        || turn.bytes >= limits.turnBytes();
  }

  /**
   * Whether the turn of short reads goes on without one: whoever syncs one thing after the other
   * asks again in a moment, and the way to a stream and back would cost the disk two seeks.
   */
  private boolean isAwaited(Turn turn, long now) {
    return now - turn.emptySince < GRACE_NANOS && turn.syncWeight > bestEffort.greatestWeight();
  }

  private void beginTurns(long now) {
    while (turns.size() < streams) {
      Turn turn = next(now);
      if (turn == null) {
        return;
      }
      turnBegunAt = now;
      counters.turnBegun();
      turns.add(turn);
      turnsNow = turns.size();
      enterAll(turn, now);
    }
  }

  private Turn next(long now) {
    boolean streamsWait = !bestEffort.isEmpty() || !idle.isEmpty();
    if (!shorts.isEmpty() && !(lastWasShort && streamsWait)) {
      lastWasShort = true;
      return new Turn(null, null, now);
    }
    if (!streamsWait) {
      return null;
    }
    lastWasShort = false;
    long bestEffortNanos = usedNanos(DiskClass.BEST_EFFORT, now);
    long idleNanos = usedNanos(DiskClass.IDLE, now);
    StreamGroup group =
        groups.next(now - OLD_NANOS, limits.idleShare(), bestEffortNanos, idleNanos);
    groupsNow = Math.max(groupsNow, group.virtualTime);
    Stream stream = group.take(now - OLD_NANOS, now, turnNanos(now), arm);
    Turn turn = new Turn(stream, group, now);
    stream.turn = turn;
    return turn;
  }

  private void enterAll(Turn turn, long now) {
    boolean isShort = turn.stream == null;
    while (mayEnter(turn, now) && !(isShort ? shorts.isEmpty() : turn.stream.waiting.isEmpty())) {
      enter(isShort ? shorts.take(now) : turn.stream.waiting.remove(), turn, now);
    }
  }

  /** Several reads may belong to one stream, and ask again one after the other. */
  private boolean mayEnter(Turn turn, long now) {
    return turn.in == 0
        || (turn.stream != null
            ? !isSpent(turn, now)
            : turn.in < SHORT_DEPTH && now - turn.begunAt < turnNanos(now));
  }

  /**
   * About what a stream reads in a turn, in bytes. Read without the lock. Streams that are this far
   * ahead have what the disk reads in one round in the page cache, all together.
   */
  long turnBytes(long now) {
    return Math.min(limits.turnBytes(), (long) (turnNanos(now) * BYTES_PER_NANO));
  }

  /** The length of a turn, in nanoseconds of disk time. Read without the lock, too. */
  private long turnNanos(long now) {
    long cycle = hasRealtime(now) ? REALTIME_CYCLE_NANOS : CYCLE_NANOS;
    long fair = cycle / Math.max(1, lowerWaiting + turnsNow);
    return Math.min(limits.turnNanos(), Math.max(fair, MIN_TURN_NANOS));
  }

  /**
   * The same for a turn that has begun. A short read of a greater weight shortens a stream's turn
   * in proportion, as a client waits for it, and one that has to begin ends it; but if such reads
   * come all the time, streams keep a third of the disk's. Read without the lock, too.
   */
  private long turnNanos(Turn turn, long now) {
    long whole = untilHeld(turn, now);
    double best = shorts.greatestWeight();
    boolean due = now >= shorts.dueAt();
    if (turn.stream == null || (best <= turn.weight && !due)) {
      return whole;
    }
    long byWeight = due ? 0 : (long) (whole * turn.weight / best);
    long least = Math.max(MIN_TURN_NANOS, lastShortNanos / SHORT_TO_STREAMS);
    return Math.min(whole, Math.max(byWeight, least));
  }

  /** Whether reads that are held would end a turn that begins now before its half. */
  private boolean wouldBeCutShort(long now) {
    return !held.isEmpty() && heldDueAt - now < turnNanos(now) / 2;
  }

  /**
   * The whole turn. If reads are held that have to begin within the limit of a turn, it goes on
   * until then: they end it in any case.
   */
  private long untilHeld(Turn turn, long now) {
    long whole = turnNanos(now);
    long until = heldDueAt - turn.begunAt;
    return until > whole && until <= limits.turnNanos() ? until : whole;
  }

  private void dropLost(long now) {
    for (Ticket ticket : realtimeIn) {
      if ((ticket.counted || ticket.opening) && now - ticket.seenAt >= LOST_NANOS) {
        counters.lost();
        leaveRealtime(ticket, now);
        return;
      }
    }
    for (Ticket ticket : lowerIn) {
      if (ticket.idleSince == Ticket.BUSY && now >= lostAt(ticket)) {
        if (!isSync(ticket)) {
          counters.lost();
        }
        leave(ticket, now);
        return;
      }
    }
  }

  private static boolean isSync(Ticket lower) {
    return lower.writes && lower.stream == null;
  }

  private static long lostAt(Ticket lower) {
    return lower.seenAt + (isSync(lower) ? MAX_SYNC_NANOS : LOST_NANOS);
  }

  // ---- time ---------------------------------------------------------------------------------

  private void advance(long now) {
    long elapsed = now - at;
    if (elapsed <= 0) {
      return;
    }
    long taken = 0;
    if (realtimeBusy > 0 || opening.diskNanos(at, now) > 0) {
      // What the disk did for the request of another class that was there first is not charged, up
      // to a limit: the kernel may hold such a request back for as long as real-time goes on.
      long free = Math.min(lowerUntil(now) - at, MAX_FREE_NANOS - freeNanos);
      free = account.reads.isClosed() ? 0 : Math.max(0, free);
      freeNanos += free;
      long from = at + free;
      taken = realtimeBusy > 0 ? now - from : opening.diskNanos(from, now);
      busyNanos += realtimeBusy > 0 ? Math.max(0, taken) : 0;
    } else if (!account.reads.isClosed() && !account.continued.isClosed()) {
      long until = Math.min(now, heldForNextUntil);
      long from = Math.max(at, lowerUntil(now));
      taken = until > from ? until - from : 0;
    }
    taken = Math.max(0, taken);
    chargedNanos = Math.min(chargedNanos + taken, (long) (partNanos * MAX_PARTS));
    counters.used(DiskClass.REALTIME, taken);
    account.setShare(RealtimeShare.of(limits.realtimeShare(), realtime(), lower()));
    account.advance(now, taken, contendedHere(now));
    at = now;
  }

  /** The real-time reads at the disk, and those that wait for it. */
  private int realtime() {
    int waiting = realtimeWaiting.size() + continuedWaiting.size() + held.size();
    return realtimeBusy + opening.size() + waiting;
  }

  /** Those of other classes. */
  private int lower() {
    return lowerWaiting + lowerIn.size();
  }

  /** The last time at which a read of another class was at the disk. */
  private long lowerUntil(long now) {
    long until = lowerAtDisk;
    for (Ticket ticket : lowerIn) {
      long since = ticket.idleSince;
      until = Math.max(until, since == Ticket.BUSY ? now : since);
    }
    return until;
  }

  private boolean contendedHere(long now) {
    return lowerWaiting > 0
        || now - lowerUntil(now) <= CONTENDED_NANOS
        || now - othersSeenAt <= OTHERS_NANOS;
  }

  private boolean contended(long now) {
    if (!contendedHere(now)
        && account.isOverdrawn()
        && othersWait.test(realtimeBusy + opening.size())) {
      othersSeenAt = now;
    }
    return contendedHere(now);
  }

  /** Whether other classes have a turn, or wait for one. Read without the lock, too. */
  boolean hasLower() {
    return lowerWaiting + turnsNow > 0;
  }

  /** Whether reads of other classes wait. Read without the lock. */
  boolean isLowerWaiting() {
    return lowerWaiting > 0;
  }

  /** Whether one of other classes that has a turn reads. */
  boolean isLowerRead() {
    return lowerIn.stream().anyMatch(ticket -> !ticket.writes);
  }

  /** Whether reads of other classes want the disk. */
  boolean isContended(long now) {
    return contendedHere(now);
  }

  /** Whether a read waits. */
  boolean isAnyWaiting() {
    return waiting() > 0;
  }

  /**
   * The nanoseconds after which {@link #poll} may let something in although nothing else happens:
   * no read comes, goes, or {@link Ticket#pause pauses}.
   */
  long untilDue(long now) {
    long due = LOST_NANOS;
    // Others may stop waiting at any time.
    if (!held.isEmpty()) {
      due = Math.min(heldDueAt - now, lowerWaiting > 0 ? LOST_NANOS : CONTENDED_NANOS);
    }
    if (!realtimeWaiting.isEmpty() && account.reads.isClosed()) {
      due = Math.min(due, Math.min(account.reads.untilDue(now), CONTENDED_NANOS));
    }
    if (!continuedWaiting.isEmpty() && account.continued.isClosed()) {
      due = Math.min(due, Math.min(account.continued.untilDue(now), CONTENDED_NANOS));
    }
    if (lowerWaiting > 0) {
      due = Math.min(due, isHeld(now) ? untilNotHeld(now) : untilTurnsMayEnd(now));
    }
    return Math.max(Math.min(due, untilLost(now)), 1);
  }

  /** The nanoseconds until turns may end because their reads do not use the disk. */
  private long untilTurnsMayEnd(long now) {
    long idleSince = now + LOST_NANOS;
    for (Ticket ticket : lowerIn) {
      long since = ticket.idleSince;
      idleSince = since == Ticket.BUSY ? idleSince : Math.min(idleSince, since);
    }
    for (Turn turn : turns) {
      idleSince = turn.in == 0 ? Math.min(idleSince, turn.emptySince) : idleSince;
    }
    return idleSince + GRACE_NANOS - now;
  }

  private long untilLost(long now) {
    long lostAt = now + LOST_NANOS;
    for (Ticket ticket : realtimeIn) {
      boolean uses = ticket.counted || ticket.opening;
      lostAt = uses ? Math.min(lostAt, ticket.seenAt + LOST_NANOS) : lostAt;
    }
    for (Ticket ticket : lowerIn) {
      lostAt = ticket.idleSince == Ticket.BUSY ? Math.min(lostAt, lostAt(ticket)) : lostAt;
    }
    return lostAt - now;
  }

  /** The nanoseconds until turns may go on if nothing happens. */
  private long untilNotHeld(long now) {
    if (streamsOpening.isHolding(now)) {
      return streamsOpening.until() - now;
    }
    if (realtimeBusy > 0) {
      return realtimeProgressAt + MAX_HOLD_NANOS - now;
    }
    return opening.isEmpty() ? heldForNextUntil - now : OPENING_NANOS;
  }

  /** Whether a real-time read waits because real-time has used up its share. */
  boolean isRealtimePaused(Ticket ticket) {
    return gate(ticket).isClosed() && !held.contains(ticket);
  }

  /** Whether no turn has begun for so long that something must be wrong. */
  boolean isStuck(long now) {
    return now - Math.max(turnBegunAt, realtimeProgressAt) >= LOST_NANOS;
  }

  /** The disk time that a class has used, in nanoseconds, that of reads which are in included. */
  long usedNanos(DiskClass diskClass, long now) {
    advance(now);
    long nanos = counters.usedNanos(diskClass);
    for (Ticket ticket : lowerIn) {
      nanos += DiskClass.of(ticket.ioClass) == diskClass ? ticket.usedNanos(now) : 0;
    }
    return nanos;
  }

  /** What the disk has needed for reads and turns. */
  ServiceTimes serviceTimes() {
    return meter.times();
  }

  /** The reads that wait, of all classes. */
  int waiting() {
    return lowerWaiting + realtimeWaiting.size() + continuedWaiting.size() + held.size();
  }
}
