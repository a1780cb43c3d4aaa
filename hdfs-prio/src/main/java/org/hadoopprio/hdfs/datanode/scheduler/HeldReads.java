package org.hadoopprio.hdfs.datanode.scheduler;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;

/**
 * The real-time reads of a volume that need not begin yet, because their latency targets leave
 * time. They begin together, when the first of them has to: then they cost the streams one
 * interruption, and the drive serves them in the order of their places.
 *
 * <p>When that is follows from what such reads have needed so far: the time from the begin of all
 * to the end of the last, for each of them on average, and its mean deviation (as RFC 6298 does it
 * for round-trip times). A read that others are expected to follow has to end earlier by what they
 * need, and by what their reader takes between them. They are not held: the disk is kept for them
 * as for any real-time reader.
 *
 * <p>Not thread-safe: guarded by the lock of the volume.
 */
final class HeldReads {

  /** What a read needs as long as none has been seen: a seek, half a rotation, and the transfer. */
  static final long FIRST_NANOS = TimeUnit.MILLISECONDS.toNanos(12);

  /**
   * The longest hold, whatever the target: a third of the timeouts of HDFS clients has to remain.
   */
  static final long MAX_HOLD_NANOS = TimeUnit.SECONDS.toNanos(10);

  /** More than this for one read shows that the disk hangs, not how long a read takes. */
  private static final double MAX_SAMPLE_NANOS = 8.0 * FIRST_NANOS;

  /** What the reader of several reads takes between them as long as nothing has been seen. */
  private static final long FIRST_GAP_NANOS = TimeUnit.MILLISECONDS.toNanos(2);

  /** After a longer gap fewer reads have followed than expected, and this is the next request's. */
  private static final long MAX_GAP_NANOS = TimeUnit.MILLISECONDS.toNanos(32);

  /** So many deviations above the average, few are late (RFC 6298, K). */
  private static final int DEVIATIONS = 4;

  /** Reads that have begun together. */
  static final class Group {
    private final long begunAt;
    private final int count;
    private int left;

    private Group(long begunAt, int count) {
      this.begunAt = begunAt;
      this.count = count;
    }
  }

  private final Set<Ticket> held = new LinkedHashSet<>();
  private double meanNanos = FIRST_NANOS;
  private double deviationNanos = FIRST_NANOS / 4.0;

  /** From the end of a read to the next that follows it. */
  private double gapNanos = FIRST_GAP_NANOS;

  private long leftAt;

  /** Whether the read that has left then is to be followed by one that has not come yet. */
  private boolean isNextAwaited;

  /** When the first of them has to be answered; meaningless if none is held. */
  private long firstDeadline;

  boolean isEmpty() {
    return held.isEmpty();
  }

  int size() {
    return held.size();
  }

  boolean contains(Ticket ticket) {
    return held.contains(ticket);
  }

  void add(Ticket ticket) {
    comes(ticket);
    held.add(ticket);
    findFirst();
  }

  private void comes(Ticket ticket) {
    long gap = ticket.askedAt - leftAt;
    if (isNextAwaited && gap < MAX_GAP_NANOS) {
      gapNanos += (gap - gapNanos) / 8;
    }
    isNextAwaited = false;
  }

  /** What the reader of several reads takes from the end of one to the next, on average. */
  double gapNanos() {
    return gapNanos;
  }

  /** Returns false if the read is not held. */
  boolean remove(Ticket ticket) {
    boolean was = held.remove(ticket);
    findFirst();
    return was;
  }

  private void findFirst() {
    long first = Long.MAX_VALUE;
    for (Ticket ticket : held) {
      first = Math.min(first, Math.min(lastEnd(ticket), ticket.askedAt + MAX_HOLD_NANOS));
    }
    firstDeadline = first;
  }

  /** When a read has to end so that those which follow it meet the deadline, too. */
  long lastEnd(Ticket ticket) {
    // The deviation of a sum grows with the root of their number.
    double more = DEVIATIONS * deviationNanos * (Math.sqrt(ticket.following + 1.0) - 1);
    return ticket.deadline - (long) (ticket.following * (meanNanos + gapNanos) + more);
  }

  /** When the reads that are held have to begin. */
  long dueAt() {
    return firstDeadline - neededNanos(held.size());
  }

  /** What so many reads need that begin together. */
  long neededNanos(int count) {
    return (long) (count * meanNanos + DEVIATIONS * deviationNanos);
  }

  /** All reads that are held; they begin now, and none is held any more. */
  List<Ticket> begin(long now) {
    List<Ticket> all = new ArrayList<>(held);
    held.clear();
    Group group = new Group(now, all.size());
    for (Ticket ticket : all) {
      ticket.group = group;
    }
    return all;
  }

  /** A read that would be held begins now, by itself: the disk is kept for it. */
  void beginAlone(Ticket ticket, long now) {
    comes(ticket);
    ticket.group = new Group(now, 1);
  }

  /** A real-time read has left the disk. */
  void left(Ticket ticket, long now) {
    if (ticket.following > 0) {
      leftAt = now;
      isNextAwaited = true;
    }
    Group group = ticket.group;
    ticket.group = null;
    if (group != null && ++group.left == group.count) {
      double sample = Math.min((double) (now - group.begunAt) / group.count, MAX_SAMPLE_NANOS);
      double error = sample - meanNanos;
      meanNanos += error / 8;
      deviationNanos += (Math.abs(error) - deviationNanos) / 4;
    }
  }
}
