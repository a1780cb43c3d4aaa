package org.hadoopprio.hdfs.datanode.scheduler;

import java.util.LinkedHashSet;
import java.util.Set;
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

  private final Set<Stream> waiting = new LinkedHashSet<>();

  /** How many turns were given. */
  private long turns;

  /** The start tag of the stream that was chosen last. */
  private double now;

  /** The disk time that the group has used, divided by its share, in nanoseconds. */
  double virtualTime;

  boolean isEmpty() {
    return waiting.isEmpty();
  }

  /** When the stream that has waited longest asked; the group must not be empty. */
  long eldest() {
    return waiting.iterator().next().waiting.peekFirst().askedAt;
  }

  /** A stream begins to wait. It gets no credit for the time in which it did not. */
  void add(Stream stream) {
    stream.group = this;
    stream.virtualTime = Math.max(stream.virtualTime, now);
    stream.waitsSince = turns;
    waiting.add(stream);
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
   * @param turnNanos the length of a turn; streams within some turns of the least count as equal
   * @param arm where the disk was last seen to read ({@link FileExtent#place})
   */
  Stream take(long old, long turnNanos, long arm) {
    double least = Double.MAX_VALUE;
    double weights = 0;
    double most = 0;
    for (Stream stream : waiting) {
      double weight = stream.waiting.peekFirst().weight;
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
      double round = weights / first.weight;
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
    turns++;
    now = Math.max(now, least);
    return taken;
  }

  private static long distance(long place, long arm) {
    return place == FileExtent.UNKNOWN || arm == FileExtent.UNKNOWN
        ? Long.MAX_VALUE
        : Math.abs(place - arm);
  }

  /** Charges a turn's disk time. */
  void charge(Stream stream, double weight, double share, long nanos) {
    stream.virtualTime += nanos / weight;
    virtualTime += nanos / share;
  }
}
