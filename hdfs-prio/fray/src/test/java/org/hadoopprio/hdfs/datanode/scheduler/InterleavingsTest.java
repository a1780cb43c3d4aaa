// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.hdfs.datanode.scheduler;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.FileDescriptor;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.hadoop.conf.Configuration;
import org.hadoopprio.disktime.Stream;
import org.junit.jupiter.api.extension.ExtendWith;
import org.pastalab.fray.core.command.SystemTimeDelegateType;
import org.pastalab.fray.junit.junit5.FrayTestExtension;
import org.pastalab.fray.junit.junit5.annotations.FrayTest;

/**
 * The protocol of {@link TurnWaits} in many orders of its threads. Time is Fray's: it goes on by
 * little at each step, and to the next end of a wait if all threads sleep. So a wake-up that is
 * lost shows as a wait that is long, and a deadlock is reported as one.
 */
@ExtendWith(FrayTestExtension.class)
class InterleavingsTest {

  private static final int ORDERS = 60;
  private static final int MIB = 1 << 20;

  /** The thread that looks at the clock would let a read in that nobody has woken, but later. */
  private static final long SOON_NANOS = TimeUnit.MILLISECONDS.toNanos(900);

  private final long begin = System.nanoTime();
  private final AtomicInteger atDisk = new AtomicInteger();
  private final VolumeQueue queue =
      new VolumeQueue(
          "/data/1",
          SchedulerLimits.of(new Configuration(false)).with(SchedulerKeys.SHARE, 0.5),
          1,
          System::nanoTime,
          reads -> false,
          () -> true);

  private static Ticket stream() {
    return new Ticket(null, 4, new Stream());
  }

  private void useDisk() {
    assertEquals(1, atDisk.incrementAndGet(), "together at the disk");
    atDisk.decrementAndGet();
  }

  private static List<Thread> start(Runnable... each) {
    List<Thread> threads = new ArrayList<>();
    for (Runnable work : each) {
      Thread thread = new Thread(work);
      threads.add(thread);
      thread.start();
    }
    return threads;
  }

  private void assertNobodyIsLeft(List<Thread> threads) throws InterruptedException {
    for (Thread each : threads) {
      each.join();
    }
    long took = System.nanoTime() - begin;
    assertTrue(took < SOON_NANOS, took + " ns");
    assertEquals(0, queue.status().getBestEffort().getWaiting());
    assertEquals(0, queue.counters().overdueWaits());
  }

  private void read() {
    Ticket ticket = stream();
    assertTrue(queue.enter(ticket, () -> false));
    useDisk();
    queue.done(ticket);
  }

  @FrayTest(
      iterations = ORDERS,
      systemTimeDelegateType = SystemTimeDelegateType.MOCK,
      ignoreTimedBlock = false,
      abortThreadExecutionAfterMainExit = true)
  void whoWaitsIsWokenWhenTheDiskIsFree() throws InterruptedException {
    assertNobodyIsLeft(start(this::read, this::read, this::read));
  }

  /** Work whose turn comes while somebody cancels it. */
  @FrayTest(
      iterations = ORDERS,
      systemTimeDelegateType = SystemTimeDelegateType.MOCK,
      ignoreTimedBlock = false,
      abortThreadExecutionAfterMainExit = true)
  void workHasItsTurnOrIsToldThatItHasNone() throws InterruptedException {
    Ticket holder = stream();
    assertTrue(queue.enter(holder, () -> false));
    Work first = new Work();
    Work second = new Work();
    queue.whenItHasATurn(first.ticket, first);
    queue.whenItHasATurn(second.ticket, second);
    List<Thread> threads =
        start(() -> queue.done(holder), () -> queue.cancel(first.ticket), this::read);
    first.told.await();
    second.told.await();
    assertNobodyIsLeft(threads);
    assertEquals(1, first.times.get());
    assertEquals(1, second.turns.get());
    assertEquals(1, second.times.get());
  }

  private final class Work implements TurnWork {
    private final Ticket ticket = stream();
    private final CountDownLatch told = new CountDownLatch(1);
    private final AtomicInteger times = new AtomicInteger();
    private final AtomicInteger turns = new AtomicInteger();

    @Override
    public void inTurn() {
      useDisk();
      turns.incrementAndGet();
      queue.done(ticket);
      withoutTurn();
    }

    @Override
    public void withoutTurn() {
      times.incrementAndGet();
      told.countDown();
    }
  }

  /** What comes while somebody reads is brought to the disk, never together with a read. */
  @FrayTest(
      iterations = ORDERS,
      systemTimeDelegateType = SystemTimeDelegateType.MOCK,
      ignoreTimedBlock = false,
      abortThreadExecutionAfterMainExit = true)
  void aWriteIsBroughtToTheDiskInTurns() throws InterruptedException {
    Ticket holder = stream();
    assertTrue(queue.enter(holder, () -> false));
    Written file = new Written();
    ScheduledWrite write =
        new ScheduledWrite(
            queue,
            queue.writes().backlog(null),
            null,
            4,
            VolumeQueue.MAX_WAIT_NANOS,
            0,
            MIB,
            source -> file);
    queue.writes().add(write);
    write.written(new FileDescriptor(), 8 * MIB);
    List<Thread> threads =
        start(
            () -> {
              write.written(new FileDescriptor(), 16 * MIB);
              write.finish();
            },
            () -> queue.done(holder),
            this::read);
    file.closed.await();
    assertNobodyIsLeft(threads);
    assertEquals(0, write.counted());
    assertTrue(file.written >= 8 * MIB, file.written + " bytes are on the disk");
  }

  private final class Written implements WrittenFile {
    private final CountDownLatch closed = new CountDownLatch(1);
    private long written;

    @Override
    public long place(long offset) {
      return offset;
    }

    @Override
    public boolean isClean(long offset, long length) {
      return false;
    }

    @Override
    public boolean startWrite(long offset, long length) {
      return true;
    }

    @Override
    public boolean awaitWritten(long offset, long length) {
      useDisk();
      written = Math.max(written, offset + length);
      return true;
    }

    @Override
    public void close() {
      closed.countDown();
    }
  }
}
