// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.disktime;

import static org.hadoopprio.disktime.Claims.ms;

import java.util.ArrayList;
import java.util.List;

/**
 * Real-time readers with a latency target beside a stream, in virtual time. Each reads chains: it
 * says of the first read how many others follow, and of each that follows one fewer. A read takes
 * the same time whatever else is read.
 */
final class ChainReaders {

  private static final long READ_NANOS = ms(10);
  private static final long STEP_NANOS = ms(1);
  private static final int STREAM_BYTES = 128 << 10;

  /** One reader. */
  private final class Reader {
    private final int chain;
    private final long targetNanos;
    private final long pauseNanos;
    private final boolean counts;
    private Claim read;
    private int following;
    private long deadline;
    private long asksAt;

    Reader(int chain, long targetNanos, long pauseNanos, boolean counts) {
      this.chain = chain;
      this.targetNanos = targetNanos;
      this.pauseNanos = pauseNanos;
      this.counts = counts;
      this.asksAt = ms(1 + readers.size() * 7L);
      readers.add(this);
    }

    private void ask() {
      boolean first = read == null || following == 0;
      following = first ? chain - 1 : following - 1;
      deadline = first ? now + targetNanos : deadline;
      boolean whole = !first && followersNanos != 0;
      read = Claims.realtime();
      long target = whole ? now + followersNanos : Math.max(deadline, now + STEP_NANOS);
      read.setDeadline(target, following);
      asksAt = Long.MAX_VALUE;
      scheduler.askRealtime(read, false, now);
    }

    private boolean isIn() {
      return read != null && read.isIn();
    }

    private void done() {
      scheduler.realtimeDone(read, now);
      asksAt = now + (following == 0 ? pauseNanos : gapNanos);
      if (counts && following == 0) {
        late += now > deadline + STEP_NANOS ? 1 : 0;
        chains++;
      }
    }
  }

  private final Disk scheduler =
      new Disk(Claims.settings(1), 1, 0, new DiskCounters(), granted -> {}, busy -> false);

  private final Claim stream = Claims.be(4, new Stream());
  private final List<Reader> readers = new ArrayList<>();
  private final long followersNanos;
  private final long gapNanos;
  private long now;
  private boolean realtimeIn;
  private long streamNanos;
  private int interruptions;
  private int chains;
  private int late;

  /**
   * Makes readers that have not asked yet.
   *
   * @param chain the reads of a chain
   * @param targetNanos of the first read of a chain
   * @param followersNanos of each read that follows; 0 for what the chain has left
   * @param gapNanos from the end of a read to the next one of the chain
   * @param pauseNanos from the end of a chain to the next one
   */
  ChainReaders(
      int count, int chain, long targetNanos, long followersNanos, long gapNanos, long pauseNanos) {
    this.followersNanos = followersNanos;
    this.gapNanos = gapNanos;
    for (int i = 0; i < count; i++) {
      new Reader(chain, targetNanos, pauseNanos, true);
    }
  }

  /** Beside them others read with that target, one read each time, and are not counted. */
  ChainReaders beside(int count, long otherTargetNanos, long otherPauseNanos) {
    for (int i = 0; i < count; i++) {
      new Reader(1, otherTargetNanos, otherPauseNanos, false);
    }
    return this;
  }

  /** Reads until then. */
  ChainReaders run(long end) {
    scheduler.ask(stream, now);
    while (now < end) {
      now += STEP_NANOS;
      for (Reader reader : readers) {
        if (now >= reader.asksAt) {
          reader.ask();
        }
      }
      scheduler.poll(now);
      serve();
      boolean in = stream.isIn();
      if (in && !realtimeIn) {
        streamNanos += STEP_NANOS;
        stream.read(STREAM_BYTES);
      }
      if (in && !scheduler.mayContinue(stream, now) && !scheduler.ask(stream, now)) {
        interruptions++;
      }
    }
    return this;
  }

  private void serve() {
    boolean anyIn = false;
    for (Reader reader : readers) {
      if (reader.isIn() && now - reader.read.use.enteredAt() >= READ_NANOS) {
        reader.done();
      }
      anyIn |= reader.isIn();
    }
    realtimeIn = anyIn;
  }

  /** How often the stream had to stop. */
  int interruptions() {
    return interruptions;
  }

  /** The part of the time in which the stream had the disk. */
  double streamShare() {
    return streamNanos / (double) now;
  }

  /** The chains of which the last read has ended. */
  int chains() {
    return chains;
  }

  /** Those of which it ended after the target. */
  int late() {
    return late;
  }
}
