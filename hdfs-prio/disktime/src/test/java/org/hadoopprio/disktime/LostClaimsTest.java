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
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Reads that are lost, stop waiting or come back. */
class LostClaimsTest extends DiskScenario {

  @Test
  void aLostReadFreesItsPlace() {
    Claim lost = streamIn(0);
    Claim next = streamWaits(ms(1));
    pass(ms(1), Disk.LOST_NANOS - 1);
    assertWaits(next);
    pass(Disk.LOST_NANOS - 1, Disk.LOST_NANOS + ms(2));
    assertIn(next);
    assertEquals(1, counters.lostReads());
    assertFalse(scheduler.mayContinue(lost, Disk.LOST_NANOS + ms(2)));
  }

  @Test
  void aReadThatIsSeenIsNotLost() {
    Claim slow = streamIn(0);
    slow.resume(ms(9_000));
    Claim next = streamWaits(ms(9_001));
    pass(ms(9_001), ms(18_999));
    assertWaits(next);
    assertEquals(0, counters.lostReads());
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void lostRealtimeReadsFreeTheirPlaces(boolean opening) {
    for (int i = 0; i < RealtimeReads.REALTIME_DEPTH; i++) {
      assertTrue(scheduler.askRealtime(realtime(), opening, 0));
    }
    Claim next = realtime();
    assertFalse(scheduler.askRealtime(next, opening, ms(5_000)));
    pass(ms(5_000), ms(16_000));
    assertTrue(granted.contains(next));
    assertTrue(counters.lostReads() > 0);
  }

  @Test
  void aLostReadThatComesBackIsNotCountedTwice() {
    Claim lost = realtimeIn(0);
    pass(0, ms(20_001));
    scheduler.poll(ms(20_002));
    assertEquals(Claim.State.OUT, lost.state());
    scheduler.resumed(lost, ms(20_003));
    streamIn(ms(20_004));
    scheduler.realtimeDone(lost, ms(20_005));
    realtimeIn(ms(20_006));
  }

  @Test
  void whatStopsWaitingLeavesNoTrace() {
    Claim holder = streamIn(0);
    for (Claim claim : List.of(be(4, new Stream()), be(4, null), idle(new Stream()))) {
      assertFalse(scheduler.ask(claim, ms(1)));
      scheduler.withdraw(claim, ms(1));
      assertEquals(Claim.State.OUT, claim.state());
    }
    assertEquals(0, scheduler.waiting());
    assertTrue(scheduler.mayContinue(holder, ms(500)), "alone again");
    scheduler.done(holder, ms(500));
    streamIn(ms(502));
    assertEquals(List.of(), granted.subList(2, granted.size()));
  }

  @Test
  void aRealtimeReadThatStopsWaitingLeavesNoTrace() {
    List<Claim> reads = new ArrayList<>();
    for (int i = 0; i < RealtimeReads.REALTIME_DEPTH; i++) {
      reads.add(realtimeIn(0));
    }
    Claim gone = realtime();
    Claim next = realtime();
    assertFalse(scheduler.askRealtime(gone, !OPENING, 0));
    assertFalse(scheduler.askRealtime(next, !OPENING, 0));
    scheduler.withdraw(gone, ms(1));
    scheduler.realtimeDone(reads.get(0), ms(2));
    assertEquals(List.of(next), granted);
  }

  @Test
  void aStreamOfTwoClassesThatStopsWaitingLeavesNoTrace() {
    Claim holder = streamIn(0);
    Stream both = new Stream();
    Claim first = be(4, both);
    Claim second = idle(both);
    assertFalse(scheduler.ask(first, 0));
    assertFalse(scheduler.ask(second, 0));
    scheduler.withdraw(first, 0);
    scheduler.withdraw(second, 0);
    scheduler.done(holder, ms(1));
    streamIn(ms(10));
  }

  @Test
  void oneReadOfAStreamMayStopWaiting() {
    Claim holder = streamIn(0);
    Stream stream = new Stream();
    Claim first = be(4, stream);
    Claim second = be(4, stream);
    scheduler.ask(first, 0);
    scheduler.ask(second, 0);
    scheduler.withdraw(first, 0);
    scheduler.done(holder, ms(1));
    scheduler.poll(ms(2));
    assertIn(second);
    assertEquals(Claim.State.OUT, first.state());
  }

  @Test
  void withoutATurnForTenSecondsItIsStuck() {
    streamIn(ms(1_000));
    assertFalse(scheduler.isStuck(ms(10_999)));
    assertTrue(scheduler.isStuck(ms(11_000)));
  }

  @Test
  void aClockThatStandsStillDoesNoHarm() {
    Claim read = realtimeIn(ms(5));
    scheduler.realtimeDone(read, ms(5));
    scheduler.realtimeDone(realtimeIn(ms(4)), ms(3));
    streamIn(ms(3));
    assertTrue(scheduler.untilDue(ms(3)) > 0);
  }
}
