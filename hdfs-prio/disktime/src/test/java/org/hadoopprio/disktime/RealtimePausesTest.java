// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.disktime;

import static org.hadoopprio.disktime.Claims.be;
import static org.hadoopprio.disktime.Claims.ms;
import static org.hadoopprio.disktime.Claims.realtime;
import static org.hadoopprio.disktime.Claims.settings;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Real-time has its share of the disk and pauses above it. */
class RealtimePausesTest extends DiskScenario {

  @Test
  void withoutOthersRealtimeNeverWaits() {
    assertFalse(oneWaits(1000));
  }

  @Test
  void strangersMakeRealtimePause() {
    strangers.set(true);
    assertTrue(oneWaits(1000));
  }

  @Test
  void strangersThatHaveGoneAreForgotten() {
    strangers.set(true);
    assertTrue(oneWaits(1000));
    assertTrue(scheduler.isRealtimePaused(realtime()));
    strangers.set(false);
    long last = ms(10) * 1000;
    scheduler.poll(last);
    assertFalse(scheduler.isRealtimePaused(realtime()));
    assertEquals(0, scheduler.waiting());
  }

  @Test
  void aRequestThatTheKernelHoldsBackDoesNotMakeRealtimeFree() {
    streamIn(0);
    Claim previous = null;
    boolean waits = false;
    for (int i = 0; i < 500 && !waits; i++) {
      Claim read = realtime();
      waits = !scheduler.askRealtime(read, !OPENING, ms(10L * i + 1));
      if (previous != null) {
        scheduler.realtimeDone(previous, ms(10L * i + 2));
      }
      previous = read;
    }
    assertTrue(waits);
  }

  @Test
  void whatTheDiskDidForAnotherReadThatWasThereFirstIsNotCharged() {
    Claim stream = streamIn(0);
    Claim read = realtimeIn(0);
    stream.pause(ms(15));
    scheduler.realtimeDone(read, ms(25));
    assertEquals(ms(10), counters.usedNanos(DiskClass.REALTIME));
  }

  /** The kernel would not send what they read to the drive before those have ended. */
  @Test
  void inAPauseOthersGoWhenTheRealtimeReadsHaveLeftThatWereInside() {
    Claim read = realtimeIn(0);
    Claim stream = streamWaits(ms(1));
    Claim excess = realtime();
    assertFalse(scheduler.askRealtime(excess, !OPENING, ms(400)));
    assertTrue(scheduler.isRealtimePaused(realtime()));
    pass(ms(400), ms(500));
    assertWaits(stream);
    scheduler.realtimeDone(read, ms(500));
    assertIn(stream);
    assertWaits(excess);
    pass(ms(500), ms(1100));
    assertIn(excess);
  }

  /** One that ends now and then must not keep others from the disk for longer than a gate waits. */
  @Test
  void inAPauseOthersGoAfterTwoSecondsAlthoughRealtimeReadsAreStillInside() {
    List<Claim> inside = new ArrayList<>();
    for (int i = 0; i < 5; i++) {
      inside.add(realtimeIn(0));
    }
    Claim stream = streamWaits(ms(1));
    for (int i = 0; i < 10; i++) {
      streamWaits(ms(1));
    }
    assertFalse(scheduler.askRealtime(realtime(), !OPENING, ms(400)));
    for (int i = 0; i < 3; i++) {
      pass(ms(400 + 500L * i), ms(900 + 500L * i));
      assertWaits(stream);
      scheduler.realtimeDone(inside.get(i), ms(900 + 500L * i));
    }
    pass(ms(1900), ms(2400));
    assertIn(stream);
  }

  /** Whoever reads on has most of its data already; who begins waits for all of it. */
  @Test
  void readsThatGoOnHaveLongerPausesThanThoseThatBegin() {
    streamIn(0).pause(0);
    Claim first = realtimeIn(0);
    for (int i = 0; i < 4; i++) {
      streamWaits(0);
    }
    scheduler.realtimeDone(first, ms(400));
    Claim goesOn = realtime();
    goesOn.setContinues(true);
    assertFalse(scheduler.askRealtime(goesOn, !OPENING, ms(400)));
    assertTrue(scheduler.isRealtimePaused(goesOn));
    Claim begins = realtime();
    assertFalse(scheduler.askRealtime(begins, !OPENING, ms(400)));
    // The debt is 105 ms, with the way back to the stream whose turn it has ended at its begin.
    // This takes 210 ms with a share of one half.
    pass(ms(400), ms(400 + 210 + 20 - 1));
    assertWaits(begins);
    pass(ms(629), ms(630));
    assertIn(begins);
    scheduler.realtimeDone(begins, ms(630));
    pass(ms(630), ms(759));
    assertWaits(goesOn);
    pass(ms(759), ms(760));
    assertIn(goesOn);
  }

  @Test
  void aReadThatGoesOnMayStopWaiting() {
    streamIn(0);
    streamWaits(0);
    scheduler.realtimeDone(realtimeIn(0), ms(400));
    Claim goesOn = realtime();
    goesOn.setContinues(true);
    assertFalse(scheduler.askRealtime(goesOn, !OPENING, ms(400)));
    assertEquals(2, scheduler.waiting());
    scheduler.withdraw(goesOn, ms(401));
    assertEquals(1, scheduler.waiting());
    pass(ms(401), ms(900));
    assertEquals(Claim.State.OUT, goesOn.state());
  }

  /** Cold files: the inode and the header of the checksums come from the disk, too. */
  @ParameterizedTest
  @CsvSource({"0, 1", "8, 1", "25, 1", "25, 6", "200, 1"})
  void aStreamKeepsItsPartBesideAReaderThatOpensItsFiles(long opening, long think) {
    Disk usual =
        new Disk(
            settings(DiskSettings.DEFAULT.realtimeShare()),
            1,
            0,
            counters,
            granted::add,
            n -> false);
    OpeningReader reader = new OpeningReader(usual, ms(opening), ms(10), ms(think));
    assertTrue(reader.streamShare(ms(60_000)) >= 0.3, "" + reader.streamShare(ms(60_000)));
  }

  @Test
  void anOpeningIsChargedFromTheMomentAtWhichItHoldsOthers() {
    Claim read = realtime();
    scheduler.askRealtime(read, OPENING, 0);
    scheduler.askRealtime(realtime(), OPENING, ms(4));
    scheduler.opened(read, ms(8));
    scheduler.realtimeDone(read, ms(18));
    assertEquals(ms(18) - RealtimeReads.OPENING_NANOS, counters.usedNanos(DiskClass.REALTIME));
  }

  @Test
  void anOpeningThatTakesNoTimeIsNotCharged() {
    Claim read = realtime();
    scheduler.askRealtime(read, OPENING, 0);
    scheduler.paused(read, RealtimeReads.OPENING_NANOS - 1);
    scheduler.realtimeDone(read, ms(5));
    assertEquals(0, counters.usedNanos(DiskClass.REALTIME));
  }

  @Test
  void anOpeningThatHangsIsChargedForAsLongAsItHoldsOthers() {
    scheduler.askRealtime(realtime(), OPENING, 0);
    scheduler.poll(ms(1_500));
    scheduler.poll(ms(5_000));
    assertEquals(
        RealtimeReads.MAX_HELD_BACK_NANOS - RealtimeReads.OPENING_NANOS,
        counters.usedNanos(DiskClass.REALTIME));
  }

  @Test
  void whatTheDiskDidBeforeAnOpeningIsNotCharged() {
    Claim stream = streamIn(0);
    Claim read = realtime();
    scheduler.askRealtime(read, OPENING, 0);
    stream.pause(ms(15));
    scheduler.paused(read, ms(25));
    assertEquals(ms(10), counters.usedNanos(DiskClass.REALTIME));
  }

  @Test
  void allThatWaitedGoTogetherAfterAPause() {
    Claim read = realtimeIn(0);
    streamWaits(ms(1));
    List<Claim> excess = new ArrayList<>();
    for (int i = 0; i < 8; i++) {
      Claim waits = realtime();
      assertFalse(scheduler.askRealtime(waits, !OPENING, ms(400 + i)));
      excess.add(waits);
    }
    scheduler.realtimeDone(read, ms(410));
    granted.clear();
    pass(ms(410), ms(1000));
    assertEquals(excess, granted);
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 16, 128})
  void realtimeHasItsShareAndNoMoreAtAnyConcurrency(int readers) {
    assertEquals(RealtimeShare.of(0.5, readers, 1), realtimeShare(readers), 0.05);
  }

  /** However many reads there are: a pause a second, and what was let in before it. */
  @ParameterizedTest
  @ValueSource(ints = {16, 64, 640})
  void aStreamDoesNotWaitForLongBesideManyReads(int readers) {
    realtimeShare(readers);
    long drain = RealtimeReads.REALTIME_DEPTH * ms(10);
    assertTrue(
        longestWait <= RealtimeAccount.MAX_RUN_NANOS + 2 * drain, longestWait / ms(1) + " ms");
  }

  private long longestWait;

  /**
   * Real-time reads of 10 ms beside a stream, on a disk that serves the oldest request; what
   * real-time has of its time.
   */
  private double realtimeShare(int readers) {
    Disk one = scheduler(1);
    List<Claim> all = new ArrayList<>();
    for (int i = 0; i < readers; i++) {
      Claim read = realtime();
      one.askRealtime(read, !OPENING, 0);
      all.add(read);
    }
    Claim stream = be(4, new Stream());
    one.ask(stream, 0);
    long now = 0;
    long used = 0;
    long streamAsked = 0;
    while (now < ms(60_000)) {
      Claim oldest =
          all.stream()
              .filter(read -> read.isIn())
              .min(Comparator.comparingLong(read -> read.use.enteredAt()))
              .orElse(null);
      boolean streamIn = stream.isIn();
      if (streamIn
          && (oldest == null
              || Math.max(streamAsked, stream.use.enteredAt()) <= oldest.use.enteredAt())) {
        now += ms(2);
        longestWait = Math.max(longestWait, now - streamAsked);
        streamAsked = now;
        stream.resume(now);
        if (!one.mayContinue(stream, now)) {
          one.ask(stream, now);
        }
      } else if (oldest != null) {
        now += ms(10);
        used += ms(10);
        one.realtimeDone(oldest, now);
        one.askRealtime(oldest, !OPENING, now);
      } else {
        now += one.untilDue(now);
      }
      one.poll(now);
    }
    return used / (double) now;
  }
}
