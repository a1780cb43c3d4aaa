// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.disktime;

import static org.hadoopprio.disktime.Claims.be;
import static org.hadoopprio.disktime.Claims.idle;
import static org.hadoopprio.disktime.Claims.ms;
import static org.hadoopprio.disktime.Claims.realtime;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Real-time reads at the disk: what they hold, and for whom the disk is kept. */
class RealtimeReadsTest extends DiskScenario {

  @Test
  void aReadGoesAtOnce() {
    streamIn(0);
    streamWaits(0);
    shortWaits(0);
    realtimeIn(ms(1));
  }

  @Test
  void whileItIsAtTheDiskNothingOfOtherClassesGoes() {
    Claim read = realtimeIn(0);
    List<Claim> others = List.of(be(0, new Stream()), be(0, null), idle(new Stream()));
    for (Claim other : others) {
      assertFalse(scheduler.ask(other, ms(1)));
    }
    pass(ms(1), ms(900));
    others.forEach(DiskScenario::assertWaits);
    scheduler.realtimeDone(read, ms(900));
    assertIn(others.get(1));
    assertTrue(granted.contains(others.get(1)));
  }

  @Test
  void aStreamAtTheDiskAsksForItsNextRequest() {
    Claim stream = streamIn(0);
    assertTrue(scheduler.mayContinue(stream, ms(1)));
    Claim read = realtimeIn(ms(1));
    assertFalse(scheduler.mayContinue(stream, ms(1)));
    assertFalse(scheduler.ask(stream, ms(2)));
    scheduler.realtimeDone(read, ms(10));
    assertIn(stream);
    assertTrue(scheduler.mayContinue(stream, ms(11)));
  }

  @Test
  void aReadThatWaitsForItsClientHoldsNobody() {
    Claim read = realtimeIn(0);
    Claim stream = streamWaits(ms(1));
    scheduler.paused(read, ms(2));
    scheduler.poll(ms(2));
    assertIn(stream);
    assertTrue(scheduler.mayContinue(stream, ms(3)));
    scheduler.resumed(read, ms(4));
    assertFalse(scheduler.mayContinue(stream, ms(4)));
  }

  @Test
  void readsThatWaitForTheirClientsTakeNoPlace() {
    for (int i = 0; i < 2 * RealtimeReads.REALTIME_DEPTH; i++) {
      scheduler.paused(realtimeIn(0), 0);
    }
    realtimeIn(ms(1));
  }

  @Test
  void aReadThatOpensItsFilesHoldsOthersOnlyAfterAMoment() {
    Claim read = realtime();
    assertTrue(scheduler.askRealtime(read, OPENING, 0));
    Claim early = be(4, null);
    assertTrue(scheduler.ask(early, RealtimeReads.OPENING_NANOS - 1));
    scheduler.done(early, RealtimeReads.OPENING_NANOS - 1);
    Claim late = be(4, null);
    assertFalse(scheduler.ask(late, RealtimeReads.OPENING_NANOS));
    scheduler.opened(read, ms(1));
    scheduler.poll(ms(5));
    assertWaits(late);
    scheduler.realtimeDone(read, ms(6));
    assertIn(late);
  }

  @Test
  void aReadWhoseDataIsCachedHoldsNobodyAfterItsOpening() {
    Claim read = realtime();
    scheduler.askRealtime(read, OPENING, 0);
    Claim stream = streamWaits(ms(1));
    scheduler.paused(read, ms(2));
    scheduler.poll(ms(2));
    assertIn(stream);
  }

  @Test
  void theClockIsWatchedWhileAReadOpensItsFiles() {
    scheduler.askRealtime(realtime(), OPENING, 0);
    Claim stream = streamWaits(ms(1));
    pass(ms(1), RealtimeReads.MAX_HELD_BACK_NANOS - ms(1));
    assertWaits(stream);
    pass(RealtimeReads.MAX_HELD_BACK_NANOS - ms(1), RealtimeReads.MAX_HELD_BACK_NANOS + ms(1));
    assertIn(stream);
  }

  @Test
  void anOpeningThatHangsDoesNotEndTheHoldOfOthers() {
    scheduler.askRealtime(realtime(), OPENING, 0);
    scheduler.poll(ms(2000));
    scheduler.askRealtime(realtime(), OPENING, ms(2000));
    streamWaits(ms(2001));
  }

  @Test
  void readsThatDoNotFinishHoldOthersForASecondAtMost() {
    realtimeIn(0);
    realtimeIn(ms(500));
    Claim stream = streamWaits(ms(600));
    pass(ms(600), ms(1499));
    assertWaits(stream);
    pass(ms(1499), ms(1500));
    assertIn(stream);
  }

  @Test
  void noMoreThanTheDepthOfADriveGoTogetherAndTheRestInTheirOrder() {
    List<Claim> reads = new ArrayList<>();
    int most = RealtimeReads.REALTIME_DEPTH;
    for (int i = 0; i < most + 16; i++) {
      Claim read = realtime();
      boolean opens = i % 2 == 0;
      assertEquals(i < most, scheduler.askRealtime(read, opens, ms(i)));
      reads.add(read);
    }
    assertEquals(16, scheduler.waiting());
    for (int i = 0; i < 16; i++) {
      Claim leaves = reads.get(most - 1 - i);
      if (i % 3 == 0) {
        scheduler.paused(leaves, ms(90));
        scheduler.poll(ms(90));
      } else {
        scheduler.realtimeDone(leaves, ms(90));
      }
      assertEquals(reads.subList(most, most + 1 + i), granted);
    }
    assertEquals(0, scheduler.waiting());
  }

  @Test
  void theDiskIsKeptForAReaderThatAsksAgainSoon() {
    long now = thinksForOneMillisecond(50, 0) - ms(1);
    Claim stream = streamWaits(now);
    assertTrue(scheduler.untilDue(now) <= ms(2));
    scheduler.poll(now + ms(1));
    assertWaits(stream);
    pass(now + ms(1), now + ms(3));
    assertIn(stream);
  }

  @Test
  void aStreamAtTheDiskStopsWhileTheDiskIsKept() {
    Claim stream = streamIn(0);
    stream.pause(0);
    long now = thinksForOneMillisecond(50, 0) - ms(1);
    assertFalse(scheduler.mayContinue(stream, now));
    assertTrue(scheduler.mayContinue(stream, now + ms(3)));
  }

  @Test
  void theDiskIsNotKeptForAReaderThatTakesItsTime() {
    long now = thinksForOneMillisecond(50, 0);
    for (int i = 0; i < 8; i++) {
      Claim read = realtimeIn(now);
      scheduler.realtimeDone(read, now + ms(10));
      now += ms(60);
    }
    scheduler.realtimeDone(realtimeIn(now), now + ms(10));
    streamIn(now + ms(10));
  }

  @Test
  void aPauseOfTheReaderIsForgottenSoon() {
    long now = thinksForOneMillisecond(50, 0) + ms(2000);
    Claim first = realtimeIn(now);
    Claim second = realtime();
    scheduler.askRealtime(second, OPENING, now);
    scheduler.realtimeDone(first, now + ms(300));
    scheduler.opened(second, now + ms(301));
    scheduler.realtimeDone(second, now + ms(310));
    now = thinksForOneMillisecond(8, now + ms(311));
    streamWaits(now - ms(1));
  }
}
