// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.disktime;

import java.util.ArrayDeque;
import java.util.concurrent.TimeUnit;

/**
 * One sequential access to a disk: a long read, or short reads that each continue where the one
 * before ended. Guarded by the lock.
 */
public class Stream extends Share {

  /**
   * After a turn, a client uses what was read ahead before it asks again. A stream that asks again
   * so soon has not stopped reading, and its share is that of a stream that has waited all the
   * time.
   */
  static final long BREAK_NANOS = TimeUnit.MILLISECONDS.toNanos(500);

  /** Its reads that wait for the disk, in the order of their arrival. */
  final ArrayDeque<Claim> waiting = new ArrayDeque<>();

  /** When it began to wait for its next turn. */
  private long waitsSince;

  /** Where it waits, or has waited last. */
  TenantQueue queue;

  /** The weight of its last turn; 0 before the first. */
  double weight;

  /** When it left the disk last. */
  private long servedAt;

  /** The turn that it has; null if it has none. */
  Turn turn;

  /** One that has read nothing. */
  public Stream() {
    super(null, () -> 1);
  }

  /** The turn that it has; null if it has none. */
  public final Turn turn() {
    return turn;
  }

  /** The disk time that it has used, divided by its portion, in nanoseconds. */
  public final double virtualTime() {
    return virtualTime;
  }

  /**
   * It begins to wait for a turn. It has a credit of a turn that a stream of the least weight had
   * while it made a break after its own.
   *
   * @param share that it is a part of from now on
   */
  final void waitsIn(Share share, long now, long turnNanos) {
    boolean served = whole == share && weight > 0;
    boolean goesOn = served && (turn != null || now - servedAt < BREAK_NANOS);
    whole = share;
    waitsSince = now;
    share.comes(this, goesOn ? (double) turnNanos : 0);
  }

  /** One of its reads waits no more. */
  final void withdraw(Claim claim) {
    waiting.remove(claim);
    if (waiting.isEmpty() && whole != null) {
      whole.leaves(this);
    }
  }

  /** One of its reads has left the disk. */
  final void left(Claim claim, long charged, long now) {
    servedAt = now;
    charge(charged, claim.portion());
  }

  @Override
  final double portion() {
    return waiting.peekFirst().portion();
  }

  @Override
  final boolean waits() {
    return !waiting.isEmpty();
  }

  @Override
  final long askedAt() {
    return waiting.peekFirst().askedAt;
  }

  @Override
  final long waitsSince() {
    return waitsSince;
  }

  @Override
  final double greatestWeight() {
    return waiting.peekFirst().weight;
  }

  @Override
  final Stream take(Choice at) {
    weight = waiting.peekFirst().weight;
    whole.leaves(this);
    return this;
  }

  @Override
  final long distance(long arm, long unknown) {
    long place = waiting.peekFirst().demand.place;
    return place == Claim.UNKNOWN_PLACE || arm == Claim.UNKNOWN_PLACE
        ? unknown
        : Math.abs(place - arm);
  }

  /**
   * Also its way; and, to its credit, the square of the turns that it would have had in its
   * tenant's part of the time of its wait: a wait of less than a round counts little, one of two
   * rounds more than any way.
   */
  @Override
  final double cost(double used, Choice at, long farthest, double portions) {
    double way = DiskCosts.wayNanos(distance(at.arm, farthest), farthest, at.turnNanos);
    double missed = (at.now - waitsSince) * at.part * portion() / portions;
    return used + way - missed * missed / at.turnNanos;
  }
}
