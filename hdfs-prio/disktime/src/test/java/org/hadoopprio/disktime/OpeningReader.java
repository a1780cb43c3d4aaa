// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.disktime;

/**
 * One real-time reader in a closed loop, each of whose reads opens its files on the disk first,
 * beside one stream, in virtual time: which part of the time the stream has.
 */
final class OpeningReader {

  private final Disk scheduler;
  private final long openingNanos;
  private final long dataNanos;
  private final long thinkNanos;
  private final Claim stream = Claims.be(4, new Stream());
  private long now;
  private long streamNanos;

  /**
   * Makes a reader on a disk on which nothing is being read.
   *
   * @param openingNanos how long the disk needs for the files; 0 for a read whose files are open
   */
  OpeningReader(Disk scheduler, long openingNanos, long dataNanos, long thinkNanos) {
    this.scheduler = scheduler;
    this.openingNanos = openingNanos;
    this.dataNanos = dataNanos;
    this.thinkNanos = thinkNanos;
  }

  /** Reads until then; returns the part of the time in which the stream had the disk. */
  double streamShare(long end) {
    if (stream.isOut()) {
      scheduler.ask(stream, now);
    }
    while (now < end) {
      Claim read = Claims.realtime();
      boolean opens = openingNanos > 0;
      scheduler.askRealtime(read, opens, now);
      while (read.isWaiting()) {
        pass(now + Math.max(1, Math.min(scheduler.untilDue(now), Claims.ms(1))));
      }
      if (opens) {
        pass(now + openingNanos);
        scheduler.opened(read, now);
      }
      pass(now + dataNanos);
      scheduler.realtimeDone(read, now);
      pass(now + thinkNanos);
    }
    return streamNanos / (double) now;
  }

  private void pass(long until) {
    while (now < until) {
      long step = Math.min(until - now, Claims.ms(1));
      scheduler.poll(now);
      boolean in = stream.isIn();
      if (in && !scheduler.mayContinue(stream, now)) {
        in = scheduler.ask(stream, now);
      }
      now += step;
      if (in) {
        streamNanos += step;
        stream.read(256 << 10);
        stream.resume(now);
      }
    }
  }
}
