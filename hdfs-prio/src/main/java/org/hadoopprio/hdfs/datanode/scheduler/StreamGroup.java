package org.hadoopprio.hdfs.datanode.scheduler;

import java.util.LinkedHashSet;
import java.util.Set;

/**
 * The streams of one class, best-effort or idle, that wait for a turn: start-time fair queueing (P.
 * Goyal, H. Vin, H. Cheng, SIGCOMM 1996) of disk time. Guarded by the volume's lock.
 */
final class StreamGroup {

  /** A stream that has waited for this many times the turns of one round goes first. */
  static final double LONG_WAIT = 1.1;

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
   * Takes the stream that has waited longest among those that have used about least. Without the
   * tolerance, turns of slightly different lengths would shuffle the streams, and some would wait
   * for two rounds. One that has waited for many turns of others goes first all the same: it has
   * had a long turn, and others, whose turns real-time reads cut short, two.
   *
   * @param old a stream that has waited since before this time goes first, whatever its weight
   * @param turnNanos the length of a turn; streams within half a turn of the least count as equal
   */
  Stream take(long old, long turnNanos) {
    double least = Double.MAX_VALUE;
    double weights = 0;
    for (Stream stream : waiting) {
      least = Math.min(least, stream.virtualTime);
      weights += stream.waiting.peekFirst().weight;
    }
    Stream taken = null;
    // In the order in which they began to wait.
    for (Stream stream : waiting) {
      Ticket first = stream.waiting.peekFirst();
      double tolerance = turnNanos / (2 * first.weight);
      if (first.askedAt < old
          || turns - stream.waitsSince > LONG_WAIT * weights / first.weight
          || stream.virtualTime <= least + tolerance) {
        taken = stream;
        break;
      }
    }
    waiting.remove(taken);
    turns++;
    now = Math.max(now, least);
    return taken;
  }

  /** Charges a turn's disk time. */
  void charge(Stream stream, double weight, double share, long nanos) {
    stream.virtualTime += nanos / weight;
    virtualTime += nanos / share;
  }
}
