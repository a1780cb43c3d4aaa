// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.disktime;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Streams that read without end from a disk that serves one piece at a time, in virtual time: which
 * has the disk for how long. {@code DiskSimulation} says how fast that is.
 */
final class DiskLoop {

  /** 256 KiB from a hard disk. */
  static final long PIECE_NANOS = Claims.ms(2);

  private static final int PIECE_BYTES = 256 << 10;

  private final Disk scheduler;
  private final long begun;
  private final List<Claim> streams = new ArrayList<>();
  private final Map<Claim, Long> used = new HashMap<>();
  private final List<Claim> turns = new ArrayList<>();
  private long longestWait;
  private long now;

  /**
   * Makes a loop.
   *
   * @param streams one read each, which has asked
   */
  @SafeVarargs
  DiskLoop(Disk scheduler, long now, Collection<Claim>... streams) {
    this.scheduler = scheduler;
    this.begun = now;
    this.now = now;
    for (Collection<Claim> each : streams) {
      this.streams.addAll(each);
    }
  }

  void run(long end) {
    Claim last = null;
    while (now < end) {
      scheduler.poll(now);
      Claim in = null;
      for (Claim stream : streams) {
        if (stream.isIn()) {
          in = stream;
        } else {
          longestWait = Math.max(longestWait, now - stream.askedAt);
        }
      }
      if (in == null) {
        now += scheduler.untilDue(now);
        continue;
      }
      if (in != last) {
        turns.add(in);
        last = in;
      }
      now += PIECE_NANOS;
      in.read(PIECE_BYTES);
      in.resume(now);
      used.merge(in, PIECE_NANOS, Long::sum);
      if (!scheduler.mayContinue(in, now)) {
        scheduler.ask(in, now);
      }
    }
  }

  /** The part of the time in which a stream had the disk. */
  double share(Claim stream) {
    return used.getOrDefault(stream, 0L) / (double) (now - begun);
  }

  double share(Collection<Claim> some) {
    return some.stream().mapToDouble(this::share).sum();
  }

  /** The longest time for which a stream has waited. */
  long longestWait() {
    return longestWait;
  }

  /** Who had the disk, one after the other. */
  List<Claim> turns() {
    return turns;
  }
}
