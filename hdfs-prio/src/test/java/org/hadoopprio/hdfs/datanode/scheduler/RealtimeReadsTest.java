// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.hdfs.datanode.scheduler;

import static org.hadoopprio.hdfs.datanode.scheduler.Tickets.be;
import static org.hadoopprio.hdfs.datanode.scheduler.Tickets.idle;
import static org.hadoopprio.hdfs.datanode.scheduler.Tickets.ms;
import static org.hadoopprio.hdfs.datanode.scheduler.Tickets.realtime;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Real-time reads at the disk: what they hold, and for whom the disk is kept. */
class RealtimeReadsTest extends SchedulerScenario {

  @Test
  void aReadGoesAtOnce() {
    streamIn(0);
    streamWaits(0);
    shortWaits(0);
    realtimeIn(ms(1));
  }

  @Test
  void whileItIsAtTheDiskNothingOfOtherClassesGoes() {
    Ticket read = realtimeIn(0);
    List<Ticket> others = List.of(be(0, new Stream()), be(0, null), idle(new Stream()));
    for (Ticket other : others) {
      assertFalse(scheduler.ask(other, ms(1)));
    }
    pass(ms(1), ms(900));
    others.forEach(SchedulerScenario::assertWaits);
    scheduler.realtimeDone(read, ms(900));
    assertIn(others.get(1));
    assertTrue(granted.contains(others.get(1)));
  }

  @Test
  void aStreamAtTheDiskAsksForItsNextRequest() {
    Ticket stream = streamIn(0);
    assertTrue(scheduler.mayContinue(stream, ms(1)));
    Ticket read = realtimeIn(ms(1));
    assertFalse(scheduler.mayContinue(stream, ms(1)));
    assertFalse(scheduler.ask(stream, ms(2)));
    scheduler.realtimeDone(read, ms(10));
    assertIn(stream);
    assertTrue(scheduler.mayContinue(stream, ms(11)));
  }

  @Test
  void aReadThatWaitsForItsClientHoldsNobody() {
    Ticket read = realtimeIn(0);
    Ticket stream = streamWaits(ms(1));
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
    Ticket read = realtime();
    assertTrue(scheduler.askRealtime(read, OPENING, 0));
    Ticket early = be(4, null);
    assertTrue(scheduler.ask(early, RealtimeReads.OPENING_NANOS - 1));
    scheduler.done(early, RealtimeReads.OPENING_NANOS - 1);
    Ticket late = be(4, null);
    assertFalse(scheduler.ask(late, RealtimeReads.OPENING_NANOS));
    scheduler.opened(read, ms(1));
    scheduler.poll(ms(5));
    assertWaits(late);
    scheduler.realtimeDone(read, ms(6));
    assertIn(late);
  }

  @Test
  void aReadWhoseDataIsCachedHoldsNobodyAfterItsOpening() {
    Ticket read = realtime();
    scheduler.askRealtime(read, OPENING, 0);
    Ticket stream = streamWaits(ms(1));
    scheduler.paused(read, ms(2));
    scheduler.poll(ms(2));
    assertIn(stream);
  }

  @Test
  void theClockIsWatchedWhileAReadOpensItsFiles() {
    scheduler.askRealtime(realtime(), OPENING, 0);
    Ticket stream = streamWaits(ms(1));
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
    Ticket stream = streamWaits(ms(600));
    pass(ms(600), ms(1499));
    assertWaits(stream);
    pass(ms(1499), ms(1500));
    assertIn(stream);
  }

  @Test
  void noMoreThanTheDepthOfADriveGoTogetherAndTheRestInTheirOrder() {
    List<Ticket> reads = new ArrayList<>();
    int most = RealtimeReads.REALTIME_DEPTH;
    for (int i = 0; i < most + 16; i++) {
      Ticket read = realtime();
      boolean opens = i % 2 == 0;
      assertEquals(i < most, scheduler.askRealtime(read, opens, ms(i)));
      reads.add(read);
    }
    assertEquals(16, scheduler.waiting());
    for (int i = 0; i < 16; i++) {
      Ticket leaves = reads.get(most - 1 - i);
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
    Ticket stream = streamWaits(now);
    assertTrue(scheduler.untilDue(now) <= ms(2));
    scheduler.poll(now + ms(1));
    assertWaits(stream);
    pass(now + ms(1), now + ms(3));
    assertIn(stream);
  }

  @Test
  void aStreamAtTheDiskStopsWhileTheDiskIsKept() {
    Ticket stream = streamIn(0);
    stream.pause(0);
    long now = thinksForOneMillisecond(50, 0) - ms(1);
    assertFalse(scheduler.mayContinue(stream, now));
    assertTrue(scheduler.mayContinue(stream, now + ms(3)));
  }

  @Test
  void theDiskIsNotKeptForAReaderThatTakesItsTime() {
    long now = thinksForOneMillisecond(50, 0);
    for (int i = 0; i < 8; i++) {
      Ticket read = realtimeIn(now);
      scheduler.realtimeDone(read, now + ms(10));
      now += ms(60);
    }
    scheduler.realtimeDone(realtimeIn(now), now + ms(10));
    streamIn(now + ms(10));
  }

  @Test
  void aPauseOfTheReaderIsForgottenSoon() {
    long now = thinksForOneMillisecond(50, 0) + ms(2000);
    Ticket first = realtimeIn(now);
    Ticket second = realtime();
    scheduler.askRealtime(second, OPENING, now);
    scheduler.realtimeDone(first, now + ms(300));
    scheduler.opened(second, now + ms(301));
    scheduler.realtimeDone(second, now + ms(310));
    now = thinksForOneMillisecond(8, now + ms(311));
    streamWaits(now - ms(1));
  }
}
