// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.hdfs.datanode.scheduler;

import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.hadoopprio.linux.FileExtent;

/**
 * The streams of one class, best-effort or idle, that wait for a turn: start-time fair queueing (P.
 * Goyal, H. Vin, H. Cheng, SIGCOMM 1996) of disk time. Guarded by the volume's lock.
 */
final class StreamGroup {

  /** A stream that has waited for this many times the turns of one round goes first. */
  static final double LONG_WAIT = 1.1;

  /** A stream that has waited for less than this part of a round is not taken for being near. */
  private static final double SHORT_WAIT = 0.7;

  /**
   * Streams that have used so many turns more than the least count as equal. Turns are of different
   * lengths, as real-time reads cut many short.
   */
  private static final double EQUAL_TURNS = 4;

  /**
   * After a turn, a client uses what was read ahead before it asks again. A stream that asks again
   * so soon has not stopped reading, and its share is that of a stream that has waited all the
   * time.
   */
  private static final long BREAK_NANOS = TimeUnit.MILLISECONDS.toNanos(500);

  private final Set<Stream> waiting = new LinkedHashSet<>();

  /** Those that have a turn, or had one a moment ago and do not wait yet. */
  private final Set<Stream> resting = new LinkedHashSet<>();

  /** How many turns were given. */
  private long turns;

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
    double credit = resting.remove(stream) && goesOn(stream, nanos) ? turnNanos : 0;
    stream.group = this;
    stream.virtualTime = Math.max(stream.virtualTime, now - credit);
    stream.waitsSince = turns;
    waiting.add(stream);
  }

  private static boolean goesOn(Stream stream, long nanos) {
    return stream.turn != null || nanos - stream.servedAt < BREAK_NANOS;
  }

  /** Whether a stream has a turn, or makes a break after one. */
  boolean isResting(long nanos) {
    return restingWeights(nanos) > 0;
  }

  private double restingWeights(long nanos) {
    double weights = 0;
    for (Iterator<Stream> each = resting.iterator(); each.hasNext(); ) {
      Stream stream = each.next();
      if (goesOn(stream, nanos)) {
        weights += stream.portion;
      } else {
        each.remove();
      }
    }
    return weights;
  }

  void remove(Stream stream) {
    waiting.remove(stream);
  }

  /**
   * Takes the nearest of the streams that have used about least and have waited for some turns of
   * others; where places are not known, the one that has waited longest. A stream that has waited
   * for many turns goes first all the same.
   *
   * @param old a stream that has waited since before this time goes first, whatever its weight
   * @param nanos the time
   * @param turnNanos the length of a turn; streams within some turns of the least count as equal
   * @param arm where the disk was last seen to read ({@link FileExtent#place})
   */
  Stream take(long old, long nanos, long turnNanos, long arm) {
    double least = Double.MAX_VALUE;
    double weights = restingWeights(nanos);
    double most = 0;
    for (Stream stream : waiting) {
      double weight = stream.waiting.peekFirst().portion();
      least = Math.min(least, stream.virtualTime);
      weights += weight;
      most = Math.max(most, weight);
    }
    double tolerance = EQUAL_TURNS * turnNanos / most;
    Stream taken = null;
    long takenDistance = Long.MAX_VALUE;
    // In the order in which they began to wait.
    for (Stream stream : waiting) {
      Ticket first = stream.waiting.peekFirst();
      double round = weights / first.portion();
      long waited = turns - stream.waitsSince;
      if (first.askedAt < old || waited > LONG_WAIT * round) {
        taken = stream;
        break;
      }
      boolean equal = stream.virtualTime <= least + tolerance;
      long distance = distance(first.place, arm);
      if (equal && (taken == null || (waited >= SHORT_WAIT * round && distance < takenDistance))) {
        taken = stream;
        takenDistance = distance;
      }
    }
    waiting.remove(taken);
    taken.weight = taken.waiting.peekFirst().weight;
    taken.portion = taken.waiting.peekFirst().portion();
    resting.add(taken);
    turns++;
    now = Math.max(now, least);
    return taken;
  }

  private static long distance(long place, long arm) {
    return place == FileExtent.UNKNOWN || arm == FileExtent.UNKNOWN
        ? Long.MAX_VALUE
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
