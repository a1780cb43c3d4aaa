// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.lab.bench.nvme;

import java.util.Comparator;
import java.util.Optional;
import java.util.PriorityQueue;
import org.hadoopprio.hdfs.datanode.scheduler.SimulatedDisk;

/**
 * An SSD that takes all that is asked of it at once: flash pages lie on dies, each of which reads
 * one page at a time in the order of arrival, and a read is answered when its last page is. For one
 * thread.
 */
final class SsdDisk implements SimulatedDisk {

  static final int DIES = 32;
  static final int PAGE_BYTES = 16 << 10;
  static final long PAGE_NANOS = 100_000;

  private static final long BYTES = 4_000_000_000_000L;

  /** A read and when it is answered. */
  private record Answer(Request request, long at) {}

  private final long[] busyUntil = new long[DIES];
  private final PriorityQueue<Answer> answers =
      new PriorityQueue<>(Comparator.comparingLong(Answer::at));
  private long now;

  @Override
  public long bytes() {
    return BYTES;
  }

  @Override
  public long now() {
    return now;
  }

  @Override
  public void read(Request request) {
    long last = now;
    long end = (request.offset() + request.bytes() - 1) / PAGE_BYTES;
    for (long page = request.offset() / PAGE_BYTES; page <= end; page++) {
      int die = (int) (page % DIES);
      busyUntil[die] = Math.max(now, busyUntil[die]) + PAGE_NANOS;
      last = Math.max(last, busyUntil[die]);
    }
    answers.add(new Answer(request, last));
  }

  @Override
  public Optional<Request> run(long until) {
    if (answers.isEmpty() || answers.peek().at > until) {
      now = until;
      return Optional.empty();
    }
    Answer next = answers.remove();
    now = next.at;
    return Optional.of(next.request);
  }
}
