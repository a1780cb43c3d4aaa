// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.hdfs.datanode.scheduler;

import static org.hadoopprio.hdfs.datanode.scheduler.Tickets.be;
import static org.hadoopprio.hdfs.datanode.scheduler.Tickets.idle;
import static org.hadoopprio.hdfs.datanode.scheduler.Tickets.limits;
import static org.hadoopprio.hdfs.datanode.scheduler.Tickets.ms;
import static org.hadoopprio.hdfs.datanode.scheduler.Tickets.realtime;
import static org.hadoopprio.hdfs.datanode.scheduler.Waiters.awaitAsleep;
import static org.hadoopprio.hdfs.datanode.scheduler.Waiters.awaitWaiting;
import static org.hadoopprio.lab.testing.Soon.soon;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assertions.fail;

import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.stream.Collectors;
import org.apache.log4j.AppenderSkeleton;
import org.apache.log4j.Logger;
import org.apache.log4j.spi.LoggingEvent;
import org.hadoopprio.disktime.Claim;
import org.hadoopprio.disktime.Disk;
import org.hadoopprio.disktime.DiskClass;
import org.hadoopprio.disktime.Stream;
import org.hadoopprio.log.LoggedLines;
import org.hadoopprio.metrics.PriorityMetrics;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Threads that wait, with a clock that the test sets. */
@Timeout(30)
class VolumeQueueTest {

  private final AtomicLong clock = new AtomicLong();
  private final AtomicBoolean strangers = new AtomicBoolean();
  private final VolumeQueue queue =
      new VolumeQueue("/data/1", limits(0.5), 1, clock::get, reads -> strangers.get(), () -> true);
  private final List<Thread> threads = new ArrayList<>();

  @AfterEach
  void noThreadIsLeft() throws InterruptedException {
    for (Thread thread : threads) {
      thread.interrupt();
      thread.join();
    }
  }

  private void pass(long millis) {
    clock.addAndGet(ms(millis));
    queue.look();
  }

  /** While a read is at the disk. */
  private void pass(long millis, Ticket busy) {
    clock.addAndGet(ms(millis));
    busy.resume(queue.now());
    queue.look();
  }

  private Ticket in() {
    Ticket ticket = be(4, new Stream());
    assertTrue(queue.enter(ticket, () -> fail("asked without need")));
    assertEquals(Claim.State.IN, ticket.state());
    return ticket;
  }

  private Thread asks(Ticket ticket) {
    Thread thread =
        new Thread(
            () -> {
              if (ticket.isRealtime()) {
                queue.enterRealtime(ticket, false);
              } else {
                queue.enter(ticket, () -> false);
              }
            });
    threads.add(thread);
    thread.start();
    return thread;
  }

  /** A thread that asks and waits. */
  private Thread waits(Ticket ticket) {
    Thread thread = asks(ticket);
    awaitAsleep(thread);
    return thread;
  }

  private static void assertGoes(Thread thread, Ticket ticket) throws InterruptedException {
    thread.join();
    assertEquals(Claim.State.IN, ticket.state());
  }

  /** Long enough for a thread that need not wait to have gone. */
  private static void assertStillWaits(Thread thread) throws InterruptedException {
    thread.join(50);
    assertTrue(thread.isAlive());
  }

  @Test
  void aThreadThatWaitsIsWokenWhenTheDiskIsFree() throws Exception {
    Ticket holder = in();
    Ticket next = be(4, new Stream());
    Thread thread = waits(next);
    pass(500);
    assertStillWaits(thread);
    queue.done(holder);
    pass(1);
    assertGoes(thread, next);
    assertEquals(1, queue.counters().waits(DiskClass.BEST_EFFORT));
    assertEquals(ms(501), queue.counters().waitNanos(DiskClass.BEST_EFFORT));
  }

  @Test
  void aThreadThatRealtimeHeldBackIsWokenWhenItLeaves() throws Exception {
    Ticket read = realtime();
    queue.enterRealtime(read, false);
    Ticket lower = be(4, null);
    Thread thread = waits(lower);
    queue.doneRealtime(read);
    assertGoes(thread, lower);
  }

  @Test
  void aThreadThatRealtimeHeldBackIsWokenWhenItWaitsForItsClient() throws Exception {
    Ticket read = realtime();
    queue.enterRealtime(read, true);
    queue.openedRealtime(read);
    Ticket lower = be(4, null);
    Thread thread = waits(lower);
    queue.pauseRealtime(read);
    assertGoes(thread, lower);
    queue.done(lower);
    queue.resumeRealtime(read);
    Thread held = waits(be(4, null));
    queue.doneRealtime(read);
    held.join();
  }

  @Test
  void whatIsCachedDoesNotWait() {
    in();
    Ticket cached = be(4, new Stream());
    assertFalse(queue.enter(cached, () -> true));
    assertEquals(Claim.State.OUT, cached.state());
    assertEquals(0, queue.counters().waits(DiskClass.BEST_EFFORT));
  }

  @Test
  void whatIsCachedTakesNoTurn() throws Exception {
    Ticket holder = in();
    // The disk becomes free while the read looks into the page cache.
    Ticket cached = be(4, new Stream());
    BooleanSupplier look =
        () -> {
          queue.done(holder);
          pass(2);
          queue.enter(be(4, new Stream()), () -> true);
          assertEquals(Claim.State.IN, cached.state());
          return true;
        };
    assertFalse(queue.enter(cached, look));
    assertEquals(Claim.State.OUT, cached.state());
    Ticket next = be(4, new Stream());
    pass(2);
    Thread thread = asks(next);
    assertGoes(thread, next);
  }

  @Test
  void whoHasWaitedForItsReadAheadWaitsNoMore() {
    in();
    Ticket late = be(4, new Stream());
    assertTrue(queue.enter(late, () -> false, queue.now()));
    assertEquals(Claim.State.OUT, late.state());
    assertEquals(1, queue.counters().overdueWaits());
  }

  @Test
  void aLookIntoTheCacheThatFailsLeavesNoTrace() throws Exception {
    Ticket holder = in();
    Ticket failed = be(4, new Stream());
    BooleanSupplier fails =
        () -> {
          throw new IllegalStateException("test");
        };
    assertThrows(IllegalStateException.class, () -> queue.enter(failed, fails));
    assertEquals(Claim.State.OUT, failed.state());
    assertTrue(queue.mayContinue(holder, ms(500)), "nobody waits");
    queue.done(holder);
    pass(2);
    Ticket next = be(4, new Stream());
    assertGoes(asks(next), next);
  }

  @Test
  void aSlowClientLosesItsTurnSoon() throws Exception {
    Ticket holder = in();
    Ticket next = be(4, new Stream());
    Thread thread = waits(next);
    queue.pause(holder);
    assertStillWaits(thread);
    pass(1);
    assertGoes(thread, next);
    assertEquals(Claim.State.OUT, holder.state());
  }

  @Test
  void oneAfterTheOtherLosesItsTurnAlthoughNobodyElseAsks() throws Exception {
    Ticket holder = in();
    List<Ticket> tickets = new ArrayList<>();
    List<Thread> waiting = new ArrayList<>();
    for (int i = 0; i < 4; i++) {
      Ticket ticket = be(4, new Stream());
      tickets.add(ticket);
      waiting.add(waits(ticket));
    }
    queue.pause(holder);
    for (int i = 0; i < 4; i++) {
      pass(1);
      assertGoes(waiting.get(i), tickets.get(i));
      // It, too, has a slow client.
      queue.pause(tickets.get(i));
    }
  }

  @Test
  void anInterruptEndsOnesOwnWaitAndStays() throws Exception {
    Ticket holder = in();
    AtomicBoolean interrupted = new AtomicBoolean();
    Ticket ticket = be(4, new Stream());
    Thread first =
        new Thread(
            () -> {
              queue.enter(ticket, () -> false);
              interrupted.set(Thread.currentThread().isInterrupted());
            });
    threads.add(first);
    first.start();
    awaitAsleep(first);
    Ticket other = be(4, new Stream());
    Thread second = waits(other);
    first.interrupt();
    first.join();
    assertTrue(interrupted.get());
    assertEquals(Claim.State.OUT, ticket.state());
    assertStillWaits(second);
    // The first watched the clock for both.
    queue.pause(holder);
    pass(1);
    assertGoes(second, other);
  }

  @Test
  void anInterruptEndsARealtimeWaitToo() throws Exception {
    for (int i = 0; i < Disk.REALTIME_DEPTH; i++) {
      queue.enterRealtime(realtime(), false);
    }
    Ticket ticket = realtime();
    Thread thread = waits(ticket);
    thread.interrupt();
    thread.join();
    assertEquals(Claim.State.OUT, ticket.state());
  }

  @Test
  void whenTwoAreLetInTogetherAnotherWatchesTheClock() throws Exception {
    Ticket holder = in();
    Stream two = new Stream();
    Ticket first = be(4, two);
    Ticket second = be(4, two);
    Ticket third = be(4, new Stream());
    Thread firstThread = waits(first);
    Thread secondThread = waits(second);
    Thread thirdThread = waits(third);
    queue.done(holder);
    pass(1);
    assertGoes(firstThread, first);
    assertGoes(secondThread, second);
    queue.pause(first);
    queue.pause(second);
    pass(1);
    assertGoes(thirdThread, third);
  }

  @Test
  void whoWatchesTheClockIsWokenForThoseWhoComeLater() throws Exception {
    for (int i = 0; i < Disk.REALTIME_DEPTH; i++) {
      queue.enterRealtime(realtime(), false);
    }
    // It waits for a place, and so needs to look at the clock after 10 s only.
    Thread watcher = waits(realtime());
    pass(Disk.MAX_HELD_BACK_NANOS / ms(1));
    Ticket holder = in();
    Ticket next = be(4, new Stream());
    Thread thread = waits(next);
    queue.pause(holder);
    pass(1);
    thread.join(TimeUnit.NANOSECONDS.toMillis(Disk.LOST_NANOS) / 2);
    assertEquals(Claim.State.IN, next.state());
    assertTrue(watcher.isAlive());
  }

  @Test
  void theHoldForTheNextRealtimeReadEndsInTime() throws Exception {
    for (int i = 0; i < 40; i++) {
      Ticket read = realtime();
      queue.enterRealtime(read, false);
      pass(5);
      queue.doneRealtime(read);
      pass(1);
    }
    Ticket read = realtime();
    queue.enterRealtime(read, false);
    Ticket lower = be(4, new Stream());
    Thread thread = waits(lower);
    queue.doneRealtime(read);
    assertStillWaits(thread);
    pass(2);
    assertGoes(thread, lower);
  }

  @Test
  void realtimeAboveItsShareWaitsAndIsCounted() throws Exception {
    Ticket lower = overdraw();
    long paced = PriorityMetrics.REALTIME_PACED.sum();
    long nanos = PriorityMetrics.REALTIME_PACED_NANOS.sum();
    Ticket excess = realtime();
    Thread thread = waits(excess);
    pass(1);
    assertStillWaits(thread);
    pass(Disk.MAX_PAUSE_NANOS / ms(1));
    assertGoes(thread, excess);
    assertEquals(paced + 1, PriorityMetrics.REALTIME_PACED.sum());
    assertEquals(Disk.MAX_PAUSE_NANOS + ms(1), PriorityMetrics.REALTIME_PACED_NANOS.sum() - nanos);
    assertEquals(1, queue.counters().waits(DiskClass.REALTIME));
    queue.done(lower);
  }

  /** Real-time uses 400 ms while another read waits, which then is at the disk. */
  private Ticket overdraw() throws InterruptedException {
    Ticket read = realtime();
    queue.enterRealtime(read, false);
    Ticket lower = be(4, new Stream());
    Thread thread = waits(lower);
    pass(400);
    queue.doneRealtime(read);
    assertGoes(thread, lower);
    return lower;
  }

  @Test
  void aPauseEndsSoonAfterOthersHaveGone() throws Exception {
    Ticket lower = overdraw();
    Ticket excess = realtime();
    Thread thread = waits(excess);
    queue.done(lower);
    assertStillWaits(thread);
    pass(4);
    assertGoes(thread, excess);
  }

  @Test
  void cachedDataDoesNotWaitAboveTheShareAndLeavesNoTrace() throws Exception {
    Ticket lower = overdraw();
    long paced = PriorityMetrics.REALTIME_PACED.sum();
    Ticket excess = realtime();
    queue.enterRealtime(excess, true, () -> true);
    assertEquals(Claim.State.OUT, excess.state());
    assertEquals(paced, PriorityMetrics.REALTIME_PACED.sum());
    assertTrue(queue.mayContinue(lower, queue.now()));
    queue.done(lower);
    pass(1_000);
    queue.enterRealtime(excess, true, () -> fail("the gate is open"));
    assertEquals(Claim.State.IN, excess.state());
  }

  @Test
  void aShareOfAllEndsAPause() throws Exception {
    overdraw();
    Ticket excess = realtime();
    Thread thread = waits(excess);
    queue.setLimits(limits(1));
    assertGoes(thread, excess);
  }

  @Test
  void whenNoneHasATurnForTooLongAllGoForAMinute() throws Exception {
    Ticket holder = in();
    List<Thread> waiting = new ArrayList<>();
    for (int i = 0; i < 8; i++) {
      waiting.add(waits(be(4, new Stream())));
    }
    Ticket realtime = realtime();
    for (long at = 1; at < 20; at++) {
      pass(1_000, holder);
    }
    for (Thread thread : waiting) {
      assertTrue(thread.isAlive());
    }
    try (LoggedLines lines = LoggedLines.of(TurnWaits.class)) {
      pass(1_000, holder);
      for (Thread thread : waiting) {
        thread.join();
      }
      assertEquals(1, lines.all().stream().filter(line -> line.contains("goes on")).count());
      assertEquals(1, lines.all().stream().filter(line -> line.contains("No read of")).count());
    }
    assertTrue(queue.counters().overdueWaits() >= 1);
    pass(59_000, holder);
    assertTrue(queue.isOpen(queue.now()));
    assertTrue(queue.mayContinue(be(4, null), queue.now()));
    asks(be(4, new Stream())).join();
    asks(realtime).join();
    pass(2_000, holder);
    assertFalse(queue.isOpen(queue.now()));
    waits(be(4, new Stream()));
  }

  @Test
  void anOverdueWaitOpensNothingIfOthersHadTheirTurns() throws Exception {
    List<Ticket> hang = new ArrayList<>();
    for (int i = 0; i < Disk.REALTIME_DEPTH; i++) {
      Ticket read = realtime();
      queue.enterRealtime(read, false);
      hang.add(read);
    }
    Ticket late = realtime();
    Thread thread = waits(late);
    for (int i = 0; i < 4; i++) {
      pass(5_000);
      hang.forEach(queue::resumeRealtime);
      if (i == 2) {
        queue.done(in());
      }
    }
    // It has no reason to look at a clock that runs so fast.
    LockSupport.unpark(thread);
    thread.join();
    assertEquals(Claim.State.OUT, late.state());
    assertEquals(1, queue.counters().overdueWaits());
    assertFalse(queue.isOpen(queue.now()));
  }

  @Test
  void aThreadThatNeverComesBackCannotKeepTheDisk() throws Exception {
    Ticket dead = in();
    Ticket next = be(4, new Stream());
    Thread thread = waits(next);
    pass(9_999);
    assertStillWaits(thread);
    while (thread.isAlive()) {
      pass(1);
      thread.join(10);
    }
    assertEquals(Claim.State.IN, next.state());
    assertEquals(1, queue.counters().lostReads());
    assertFalse(queue.mayContinue(dead, queue.now()));
  }

  @Test
  void streamsShouldNotReadAheadForASecondAfterAnyoneWaited() throws Exception {
    Ticket holder = in();
    assertFalse(queue.isShared(queue.now()));
    Thread thread = waits(be(4, new Stream()));
    assertTrue(queue.isShared(queue.now()));
    thread.interrupt();
    thread.join();
    pass(999);
    assertTrue(queue.isShared(queue.now()));
    pass(1);
    assertFalse(queue.isShared(queue.now()));
    queue.enterRealtime(realtime(), false);
    assertTrue(queue.isShared(queue.now()));
    queue.done(holder);
  }

  /** They need not wait, but nobody would pay for what the kernel reads ahead of them. */
  @Test
  void shortReadsTogetherShareTheDisk() {
    Ticket first = be(4, null);
    Ticket second = be(4, null);
    assertTrue(queue.enter(first, () -> fail("asked without need")));
    assertFalse(queue.isShared(queue.now()));
    assertTrue(queue.enter(second, () -> fail("asked without need")));
    assertTrue(queue.isShared(queue.now()));
    queue.done(first);
    queue.done(second);
  }

  /** Or they would take turns for ever, without any reader. */
  @Test
  void syncsTogetherDoNotShareTheDisk() {
    for (int i = 0; i < 2; i++) {
      Ticket sync = be(4, null);
      sync.setSyncs();
      assertTrue(queue.enter(sync, () -> fail("asked without need")));
    }
    assertFalse(queue.isShared(queue.now()));
  }

  /** Wherever it happens, the one that asked gets the cause, and the others go on. */
  @Test
  void aFailureOfTheSchedulerLeavesTheLockFree() throws Exception {
    for (int i = 1; i <= 12; i++) {
      AtomicInteger until = new AtomicInteger(Integer.MAX_VALUE);
      Thread caller = Thread.currentThread();
      VolumeClock fails =
          () -> {
            if (Thread.currentThread() == caller && until.decrementAndGet() == 0) {
              throw new IllegalStateException("test");
            }
            return System.nanoTime();
          };
      VolumeQueue failing =
          new VolumeQueue("/data/2", limits(0.5), 1, fails, reads -> false, () -> true);
      assertTrue(failing.enter(be(4, new Stream()), () -> false));
      Thread first = new Thread(() -> failing.enter(be(4, new Stream()), () -> false));
      threads.add(first);
      first.start();
      awaitAsleep(first);
      until.set(i);
      try {
        failing.enter(be(4, new Stream()), () -> false, System.nanoTime() + ms(50));
      } catch (IllegalStateException e) {
        assertEquals("test", e.getMessage());
      }
      Thread other = new Thread(() -> failing.enter(be(4, new Stream()), () -> true));
      threads.add(other);
      other.start();
      other.join(TimeUnit.SECONDS.toMillis(10));
      assertFalse(other.isAlive(), "the lock is kept after failure " + i);
    }
  }

  /** The volumes whose clock somebody watches, and sleeps until something is due. */
  private static Set<Object> asleep() {
    return Thread.getAllStackTraces().keySet().stream()
        // Not those that wait for a turn.
        .filter(thread -> thread.getName().startsWith("hadoop-prio turns"))
        .map(LockSupport::getBlocker)
        .filter(TurnWaits.class::isInstance)
        .collect(Collectors.toCollection(() -> Collections.newSetFromMap(new IdentityHashMap<>())));
  }

  private static void awaitWatched(Set<Object> others, int volumes) {
    soon("the clocks of " + volumes + " volumes are watched")
        .until(
            () -> asleep().stream().filter(volume -> !others.contains(volume)).count(),
            watched -> watched >= volumes);
  }

  @Test
  void aSlowClientLosesItsTurnByTheClock() throws Exception {
    VolumeQueue real =
        new VolumeQueue("/data/2", limits(0.5), 1, System::nanoTime, reads -> false, () -> true);
    final Set<Object> others = asleep();
    Ticket holder = be(4, new Stream());
    assertTrue(real.enter(holder, () -> false));
    Ticket next = be(4, new Stream());
    Thread thread = new Thread(() -> real.enter(next, () -> false));
    threads.add(thread);
    thread.start();
    awaitWaiting(real, 1);
    // Whoever watches the clock sleeps longer than this test may take.
    awaitWatched(others, 1);
    real.pause(holder);
    assertGoes(thread, next);
    assertEquals(0, real.counters().lostReads(), "after less than 10 s");
  }

  @Test
  void nobodyLooksAtTheClockWhileNothingIsDue() throws Exception {
    LongAdder looks = new LongAdder();
    VolumeClock counts =
        () -> {
          looks.increment();
          return System.nanoTime();
        };
    final int volumes = 24;
    final Set<Object> others = asleep();
    for (int i = 0; i < volumes; i++) {
      VolumeQueue one =
          new VolumeQueue("/data/" + i, limits(0.5), 1, counts, reads -> false, () -> true);
      assertTrue(one.enter(be(4, new Stream()), () -> false));
      Thread thread = new Thread(() -> one.enter(be(4, new Stream()), () -> false));
      threads.add(thread);
      thread.start();
      awaitWaiting(one, 1);
    }
    awaitWatched(others, volumes);
    looks.reset();
    long end = System.nanoTime() + ms(500);
    while (System.nanoTime() < end) {
      assertTrue(looks.sum() < 2L * volumes, looks + " looks in less than half a second");
      TimeUnit.MILLISECONDS.sleep(1);
    }
  }

  @Test
  void aLogThatBlocksStopsNobody() throws Exception {
    CountDownLatch logs = new CountDownLatch(1);
    CountDownLatch goesOn = new CountDownLatch(1);
    AppenderSkeleton blocks =
        new AppenderSkeleton() {
          @Override
          protected void append(LoggingEvent event) {
            logs.countDown();
            try {
              goesOn.await();
            } catch (InterruptedException e) {
              Thread.currentThread().interrupt();
            }
          }

          @Override
          public void close() {}

          @Override
          public boolean requiresLayout() {
            return false;
          }
        };
    Logger logger = Logger.getLogger("org.hadoopprio.hdfs.datanode.scheduler");
    logger.addAppender(blocks);
    try {
      Ticket lower = overdraw();
      Ticket excess = realtime();
      Thread paced = waits(excess);
      pass(1 + Disk.MAX_PAUSE_NANOS / ms(1));
      logs.await();
      Thread other =
          new Thread(
              () -> {
                queue.done(lower);
                queue.doneRealtime(excess);
                queue.enter(lower, () -> false);
              });
      threads.add(other);
      other.start();
      other.join(TimeUnit.SECONDS.toMillis(10));
      assertFalse(other.isAlive(), "it waits for the log");
      assertTrue(paced.isAlive());
    } finally {
      goesOn.countDown();
      logger.removeAppender(blocks);
    }
  }

  @Test
  void aHundredThreadsLeaveNothingBehind() throws Exception {
    VolumeQueue real =
        new VolumeQueue("/data/2", limits(0.5), 2, System::nanoTime, reads -> false, () -> true);
    AtomicInteger most = new AtomicInteger();
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(1);
    List<Stream> scans = new ArrayList<>();
    for (int i = 0; i < 20; i++) {
      scans.add(new Stream());
    }
    List<Throwable> failures = new ArrayList<>();
    for (int i = 0; i < 100; i++) {
      int number = i;
      Thread thread =
          new Thread(
              () -> {
                try {
                  hammer(real, number, scans, end, most);
                } catch (Throwable e) {
                  synchronized (failures) {
                    failures.add(e);
                  }
                }
              });
      threads.add(thread);
      thread.start();
    }
    for (Thread thread : threads) {
      thread.join();
    }
    assertEquals(List.of(), failures);
    assertEquals(0, real.counters().overdueWaits());
    assertEquals(0, real.counters().lostReads());
    assertTrue(most.get() > 100, most + " reads");
    // The disk may be kept for some milliseconds for the next real-time read.
    Ticket after = be(4, new Stream());
    assertTrue(real.enter(after, () -> false));
    assertEquals(0, real.counters().overdueWaits(), "something is left");
  }

  private static void hammer(
      VolumeQueue queue, int number, List<Stream> scans, long end, AtomicInteger reads) {
    Random random = new Random(number);
    while (System.nanoTime() < end) {
      int kind = random.nextInt(10);
      if (kind < 3) {
        Ticket ticket = realtime();
        queue.enterRealtime(ticket, kind == 0);
        queue.openedRealtime(ticket);
        if (kind == 1) {
          queue.pauseRealtime(ticket);
          queue.resumeRealtime(ticket);
        }
        queue.doneRealtime(ticket);
      } else {
        Stream stream = kind < 5 ? null : scans.get(random.nextInt(scans.size()));
        Ticket ticket = kind == 9 ? idle(new Stream()) : be(random.nextInt(8), stream);
        for (int i = 0; i < 3; i++) {
          ticket.resume(queue.now());
          if (!queue.mayContinue(ticket, queue.now())) {
            queue.enter(ticket, () -> random.nextInt(4) == 0);
          }
          ticket.read(64 << 10);
          if (random.nextInt(8) == 0) {
            queue.pause(ticket);
            LockSupport.parkNanos(random.nextInt(3_000_000));
          }
        }
        queue.done(ticket);
      }
      reads.incrementAndGet();
    }
  }

  /**
   * It is the client that has no time; nothing is wrong with the disk, and no operator is called.
   */
  @Test
  void whoseClientHasLittlePatienceWaitsForLess() throws Exception {
    Ticket holder = in();
    Ticket hasty = be(4, new Stream());
    hasty.longestWaitNanos = ms(1_500);
    hasty.impatient = true;
    Thread thread = waits(hasty);
    Thread patient = waits(be(4, new Stream()));
    pass(1_499, holder);
    assertStillWaits(thread);
    pass(1, holder);
    LockSupport.unpark(thread);
    thread.join();
    assertEquals(Claim.State.OUT, hasty.state());
    assertEquals(0, queue.counters().overdueWaits());
    assertFalse(queue.isOpen(queue.now()));
    assertStillWaits(patient);
  }

  @Test
  void aRealtimeReadWhoseClientHasLittlePatienceWaitsForLess() throws Exception {
    for (int i = 0; i < Disk.REALTIME_DEPTH; i++) {
      queue.enterRealtime(realtime(), false);
    }
    Ticket hasty = realtime();
    hasty.longestWaitNanos = ms(1_500);
    Thread thread = waits(hasty);
    clock.addAndGet(ms(1_500));
    LockSupport.unpark(thread);
    thread.join();
    assertEquals(Claim.State.OUT, hasty.state());
  }

  /** For a stream that reads alone no turn begins, which is no sign that something is wrong. */
  @Test
  void aShortWaitAfterAStreamReadAloneOpensNothing() throws Exception {
    Ticket holder = in();
    pass(11_000, holder);
    Ticket hasty = be(4, new Stream());
    hasty.longestWaitNanos = ms(1_500);
    hasty.impatient = true;
    Thread thread = waits(hasty);
    clock.addAndGet(ms(1_500));
    LockSupport.unpark(thread);
    thread.join();
    assertEquals(0, queue.counters().overdueWaits());
    assertFalse(queue.isOpen(queue.now()));
  }

  /** Whatever the patience: that nobody is given a turn is the scheduler's fault. */
  @Test
  void aHastyReadThatFindsTheSchedulerStuckOpensTheVolume() throws Exception {
    Ticket holder = in();
    Ticket hasty = be(4, new Stream());
    hasty.longestWaitNanos = ms(11_000);
    hasty.impatient = true;
    Thread thread = waits(hasty);
    for (int i = 0; i < 11; i++) {
      pass(1_000, holder);
    }
    LockSupport.unpark(thread);
    thread.join();
    assertEquals(1, queue.counters().overdueWaits());
    assertTrue(queue.isOpen(queue.now()));
  }
}
