// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.hdfs.datanode.scheduler;

import static org.hadoopprio.hdfs.datanode.scheduler.Tickets.be;
import static org.hadoopprio.hdfs.datanode.scheduler.Tickets.limits;
import static org.hadoopprio.hdfs.datanode.scheduler.Tickets.ms;
import static org.hadoopprio.hdfs.datanode.scheduler.Tickets.realtime;
import static org.hadoopprio.hdfs.datanode.scheduler.Waiters.awaitAsleep;
import static org.hadoopprio.lab.testing.Soon.soon;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import org.hadoopprio.disktime.Claim;
import org.hadoopprio.disktime.DiskClass;
import org.hadoopprio.disktime.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a process makes of a pause, with time that the test sets. */
@Timeout(30)
class RunningClockTest {

  private static final long PAUSE_MS = 25_000;

  private final AtomicLong time = new AtomicLong(ms(7));
  private final RunningClock clock = new RunningClock(time::get);
  private final VolumeQueue queue =
      new VolumeQueue("/data/1", limits(0.5), 1, clock, reads -> false, () -> true);

  /** Looks as often as the thread does that watches the clock. */
  private void runs(long millis) {
    for (long left = millis; left > 0; left -= 1_000) {
      time.addAndGet(ms(Math.min(left, 1_000)));
      clock.getAsLong();
    }
  }

  /**
   * Time goes on until a thread has had its turn: the disk is kept for a while for the one before.
   */
  private void awaitEnd(Thread thread) throws InterruptedException {
    while (thread.isAlive()) {
      time.addAndGet(ms(10));
      queue.look();
      thread.join(1);
    }
  }

  @BeforeEach
  void watch() {
    clock.watched(true);
  }

  @Test
  void runsAsLongAsSomebodyLooks() {
    long begin = clock.getAsLong();
    runs(60_000);
    assertEquals(begin + ms(60_000), clock.getAsLong());
    time.addAndGet(ms(2_000));
    assertEquals(begin + ms(62_000), clock.getAsLong());
  }

  @Test
  void aPauseHardlyCounts() {
    runs(3_000);
    long before = clock.getAsLong();
    time.addAndGet(ms(PAUSE_MS));
    assertEquals(before + RunningClock.COUNTED_NANOS, clock.getAsLong());
    runs(500);
    assertEquals(before + RunningClock.COUNTED_NANOS + ms(500), clock.getAsLong());
  }

  /** Nobody waits: the disk has little to do, and nobody has to look. */
  @Test
  void withoutAWatcherEachGapIsTime() {
    clock.watched(false);
    long begin = clock.getAsLong();
    time.addAndGet(ms(60_000));
    assertEquals(begin + ms(60_000), clock.getAsLong());
    time.addAndGet(ms(60_000));
    clock.watched(true);
    assertEquals(begin + ms(120_000), clock.getAsLong());
  }

  /** A volume that is open for a minute is no longer so, however seldom somebody reads. */
  @Test
  void aQueueThatNobodyWaitsForIsOnTime() throws InterruptedException {
    Set<Thread> others = watchers();
    Ticket first = be(4, new Stream());
    assertTrue(queue.enter(first, () -> false));
    Ticket second = be(4, new Stream());
    Thread waits = waits(second);
    queue.done(first);
    awaitEnd(waits);
    queue.done(second);
    // Its watcher may not have begun; it stays for a second of its own.
    Set<Thread> own =
        soon("the clock is watched")
            .until(() -> watchersBut(others), watchers -> !watchers.isEmpty());
    for (Thread watcher : own) {
      watcher.join();
    }
    long begin = queue.now();
    time.addAndGet(ms(60_000));
    assertEquals(begin + ms(60_000), queue.now());
  }

  private static Set<Thread> watchersBut(Set<Thread> others) {
    Set<Thread> watchers = watchers();
    watchers.removeAll(others);
    return watchers;
  }

  private static Set<Thread> watchers() {
    Set<Thread> watchers = new HashSet<>();
    Thread.getAllStackTraces()
        .forEach(
            (thread, stack) -> {
              if (Arrays.stream(stack).anyMatch(e -> e.getMethodName().equals("watchTheClock"))) {
                watchers.add(thread);
              }
            });
    return watchers;
  }

  /** A thread that waits for a read to be let in. */
  private Thread waits(Ticket read) {
    Thread waits = new Thread(() -> queue.enter(read, () -> false));
    waits.start();
    awaitAsleep(waits);
    return waits;
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 24, 25, 26, 49, 51, 99, 101})
  void goesOnFromWhatWasSeenLastBeforeAPause(long millis) {
    clock.getAsLong();
    time.addAndGet(ms(millis));
    long before = clock.getAsLong();
    time.addAndGet(ms(PAUSE_MS));
    assertTrue(clock.getAsLong() >= before, millis + " ms");
  }

  /** A thread had asked for the time and was stopped before it had an answer. */
  @Test
  void neverGoesBack() {
    AtomicLong once = new AtomicLong();
    RunningClock stops =
        new RunningClock(
            () -> {
              long stale = once.getAndSet(0);
              return stale == 0 ? time.get() : stale;
            });
    stops.watched(true);
    long before = time.get();
    time.addAndGet(ms(PAUSE_MS));
    long after = stops.getAsLong();
    once.set(before);
    assertEquals(after, stops.getAsLong());
  }

  /** A stream and a read that waits for it stop for 25 s. */
  @Test
  void aPauseDoesNotOpenTheVolume() throws InterruptedException {
    Ticket first = be(4, new Stream());
    assertTrue(queue.enter(first, () -> false));
    Ticket second = be(4, new Stream());
    Thread waits = waits(second);
    time.addAndGet(ms(PAUSE_MS));
    // The waiter wakes before anybody else does.
    LockSupport.unpark(waits);
    queue.look();
    assertFalse(queue.isOpen(queue.now()));
    assertEquals(0, queue.counters().overdueWaits());
    queue.done(first);
    awaitEnd(waits);
    assertEquals(Claim.State.IN, second.state());
    queue.done(second);
  }

  /** It was at the disk when the process stopped, and a stream waits. */
  @Test
  void realtimeIsNotChargedForAPause() throws InterruptedException {
    Ticket realtime = realtime();
    queue.enterRealtime(realtime, false);
    Ticket stream = be(4, new Stream());
    Thread waits = waits(stream);
    time.addAndGet(ms(PAUSE_MS));
    queue.look();
    assertEquals(RunningClock.COUNTED_NANOS, queue.counters().usedNanos(DiskClass.REALTIME));
    queue.doneRealtime(realtime);
    awaitEnd(waits);
    queue.done(stream);
  }
}
