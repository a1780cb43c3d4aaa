// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.disktime;

import java.util.LinkedHashSet;
import java.util.Set;
import java.util.concurrent.TimeUnit;

/**
 * The streams of one class, best-effort or idle, that wait for a turn: start-time fair queueing (P.
 * Goyal, H. Vin, H. Cheng, SIGCOMM 1996) of disk time. Guarded by the lock.
 */
final class StreamGroup {

  /**
   * After a turn, a client uses what was read ahead before it asks again. A stream that asks again
   * so soon has not stopped reading, and its share is that of a stream that has waited all the
   * time.
   */
  private static final long BREAK_NANOS = TimeUnit.MILLISECONDS.toNanos(500);

  private final Set<Stream> waiting = new LinkedHashSet<>();

  /** The start tag of the stream that was chosen last. */
  private double now;

  /** The disk time that the group has used, divided by its share, in nanoseconds. */
  double virtualTime;

  boolean isEmpty() {
    return waiting.isEmpty();
  }

  /** Of the streams that wait; 0 if none does. */
  double greatestWeight() {
    double greatest = 0;
    for (Stream stream : waiting) {
      greatest = Math.max(greatest, stream.waiting.peekFirst().weight);
    }
    return greatest;
  }

  /** When the stream that has waited longest asked; the group must not be empty. */
  long eldest() {
    return waiting.iterator().next().waiting.peekFirst().askedAt;
  }

  /**
   * A stream begins to wait. It gets no credit for the time in which it did not, but for a turn
   * that a stream of the least weight had while this one made a break.
   *
   * @param nanos the time
   */
  void add(Stream stream, long nanos, long turnNanos) {
    double credit = goesOn(stream, nanos) ? turnNanos : 0;
    stream.group = this;
    stream.virtualTime = Math.max(stream.virtualTime, now - credit);
    stream.waitsSince = nanos;
    waiting.add(stream);
  }

  /** Whether a stream has a turn, or makes a break after one. */
  private boolean goesOn(Stream stream, long nanos) {
    boolean served = stream.group == this && stream.weight > 0;
    return served && (stream.turn != null || nanos - stream.servedAt < BREAK_NANOS);
  }

  void remove(Stream stream) {
    waiting.remove(stream);
  }

  /**
   * Takes the stream whose turn costs least. What counts, in disk time: what it has used more than
   * the one that has used least; its way; and, to its credit, the square of the turns that it would
   * have had in the time of its wait: a wait of less than a round counts little, one of two rounds
   * more than any way. Of equal ones it is the one that has waited longest.
   *
   * @param old a stream that has waited since before this time goes first, whatever its weight
   * @param nanos the time
   * @param turnNanos the length of a turn
   * @param arm where the disk was last seen to read ({@link Claim#setPlace})
   */
  Stream take(long old, long nanos, long turnNanos, long arm) {
    double least = Double.MAX_VALUE;
    double weights = 0;
    double most = 0;
    long farthest = 1;
    for (Stream stream : waiting) {
      Claim first = stream.waiting.peekFirst();
      least = Math.min(least, stream.virtualTime);
      weights += first.portion();
      most = Math.max(most, first.portion());
      farthest = Math.max(farthest, distance(first.demand.place, arm, 1));
    }
    Stream taken = null;
    double takenCost = Double.POSITIVE_INFINITY;
    // In the order in which they began to wait.
    for (Stream stream : waiting) {
      Claim first = stream.waiting.peekFirst();
      if (first.askedAt < old) {
        taken = stream;
        break;
      }
      double used = (stream.virtualTime - least) * most;
      long distance = distance(first.demand.place, arm, farthest);
      double missed = (nanos - stream.waitsSince) * first.portion() / weights;
      double cost =
          used + DiskCosts.wayNanos(distance, farthest, turnNanos) - missed * missed / turnNanos;
      if (cost < takenCost) {
        taken = stream;
        takenCost = cost;
      }
    }
    waiting.remove(taken);
    taken.weight = taken.waiting.peekFirst().weight;
    now = Math.max(now, least);
    return taken;
  }

  private static long distance(long place, long arm, long unknown) {
    return place == Claim.UNKNOWN_PLACE || arm == Claim.UNKNOWN_PLACE
        ? unknown
        : Math.abs(place - arm);
  }

  /**
   * Charges disk time of a stream that has left the disk.
   *
   * @param used the disk time, in nanoseconds
   * @param nanos the time
   */
  void charge(Stream stream, double portion, double share, long used, long nanos) {
    stream.virtualTime += used / portion;
    virtualTime += used / share;
    stream.servedAt = nanos;
  }
}
