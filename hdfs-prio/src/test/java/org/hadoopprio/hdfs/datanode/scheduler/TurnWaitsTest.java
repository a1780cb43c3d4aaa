// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.hdfs.datanode.scheduler;

import static org.hadoopprio.hdfs.datanode.scheduler.Tickets.be;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.hadoopprio.disktime.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Threads that have and give back the lock of a volume's waits at the same time. */
class TurnWaitsTest {

  private static final int WAITS = 20_000;

  @Test
  @Timeout(60)
  void whatEndsWithoutATurnIsToldSoOnceWhoeverGivesTheLockBackMeanwhile() throws Exception {
    VolumeQueue queue =
        new VolumeQueue("/data/1", Tickets.limits(0.5), 1, () -> 0, reads -> false, () -> true);
    Ticket holder = be(4, new Stream());
    queue.enter(holder, () -> false);
    AtomicInteger told = new AtomicInteger();
    AtomicBoolean ended = new AtomicBoolean();
    ExecutorService other = Executors.newSingleThreadExecutor();
    try {
      Future<?> looks =
          other.submit(
              () -> {
                while (!ended.get()) {
                  queue.look();
                }
              });
      for (int i = 0; i < WAITS; i++) {
        Ticket ticket = be(4, new Stream());
        queue.whenItHasATurn(ticket, new Told(told));
        queue.cancel(ticket);
      }
      ended.set(true);
      looks.get();
    } finally {
      other.shutdownNow();
      queue.done(holder);
    }
    assertEquals(WAITS, told.get());
  }

  private static final class Told implements TurnWork {
    private final AtomicInteger times;

    Told(AtomicInteger times) {
      this.times = times;
    }

    @Override
    public void inTurn() {
      throw new AssertionError("another one has the disk");
    }

    @Override
    public void withoutTurn() {
      times.incrementAndGet();
    }
  }
}
