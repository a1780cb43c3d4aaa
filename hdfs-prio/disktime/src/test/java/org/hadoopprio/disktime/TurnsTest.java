// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.disktime;

import static org.hadoopprio.disktime.Claims.be;
import static org.hadoopprio.disktime.Claims.idle;
import static org.hadoopprio.disktime.Claims.ms;
import static org.hadoopprio.disktime.Claims.realtime;
import static org.hadoopprio.disktime.Claims.settings;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Streams have the disk in turns. */
class TurnsTest extends DiskScenario {

  @Test
  void streamsGoOneAtATime() {
    Claim first = streamIn(0);
    Claim second = streamWaits(0);
    Claim third = streamWaits(0);
    pass(0, ms(500));
    assertWaits(second);
    scheduler.done(first, ms(500));
    scheduler.poll(ms(501));
    assertIn(second);
    assertWaits(third);
  }

  @Test
  void nobodyIsLeftWhenTheLastOneHasGone() {
    Claim stream = streamIn(0);
    assertTrue(scheduler.hasLower());
    scheduler.done(stream, ms(1));
    assertFalse(scheduler.hasLower());
  }

  @Test
  void twoGoTogetherOnTwoSpindles() {
    Disk two = scheduler(2);
    List<Claim> reads = new ArrayList<>();
    for (int i = 0; i < 4; i++) {
      Claim read = be(4, new Stream());
      assertEquals(i < 2, two.ask(read, 0));
      reads.add(read);
    }
    two.done(reads.get(1), ms(1));
    two.poll(ms(2));
    assertIn(reads.get(2));
    assertWaits(reads.get(3));
  }

  @Test
  void readsOfOneStreamGoTogether() {
    Stream stream = new Stream();
    assertTrue(scheduler.ask(be(4, stream), 0));
    assertTrue(scheduler.ask(be(4, stream), ms(1)));
  }

  @Test
  void aTurnEndsByBytes() {
    Claim first = streamIn(0);
    Claim second = streamWaits(0);
    first.read((16 << 20) - 1);
    assertTrue(scheduler.mayContinue(first, ms(1)));
    first.read(1);
    assertFalse(scheduler.mayContinue(first, ms(1)));
    assertFalse(scheduler.ask(first, ms(1)));
    assertIn(second);
  }

  @Test
  void aTurnEndsByTime() {
    Claim first = streamIn(0);
    Claim second = streamWaits(0);
    assertTrue(scheduler.mayContinue(first, END_OF_TURN - 1));
    assertFalse(scheduler.mayContinue(first, END_OF_TURN));
    assertFalse(scheduler.ask(first, END_OF_TURN));
    assertIn(second);
  }

  @Test
  void timeWithoutTheDiskDoesNotCount() {
    Claim first = streamIn(0);
    streamWaits(0);
    for (int i = 0; i < 99; i++) {
      first.pause(ms(2L * i + 1));
      first.resume(ms(2L * i + 2) - ms(1) / 2);
    }
    assertTrue(scheduler.mayContinue(first, ms(99)));
    assertTrue(scheduler.mayContinue(first, ms(140)));
    assertFalse(scheduler.mayContinue(first, ms(160)));
  }

  @Test
  void whoAsksWithinItsTurnGoesOn() {
    Claim first = streamIn(0);
    Claim second = streamWaits(0);
    assertTrue(scheduler.ask(first, ms(50)));
    assertWaits(second);
    assertFalse(scheduler.ask(first, ms(100)));
    assertIn(second);
  }

  @Test
  void aTurnRestsWhileAnotherStreamOpensItsFiles() {
    Claim first = streamIn(0);
    Claim opens = be(4, new Stream());
    scheduler.opensFiles(opens, ms(1));
    assertTrue(scheduler.mayContinue(first, ms(1)), "they may be cached");
    assertFalse(scheduler.mayContinue(first, ms(1) + RealtimeReads.OPENING_NANOS));
    assertFalse(scheduler.ask(first, ms(2)));
    assertEquals(ms(1) + StreamOpenings.MAX_NANOS - ms(3), scheduler.untilDue(ms(3)));
    scheduler.poll(ms(4));
    assertWaits(first);
    scheduler.filesOpened(opens, ms(5));
    assertIn(first);
  }

  @Test
  void aStreamThatOpensItsFilesForLongHoldsNobodyAnyMore() {
    Claim first = streamIn(0);
    Claim stuck = be(4, new Stream());
    scheduler.opensFiles(stuck, 0);
    assertFalse(scheduler.ask(first, ms(2)));
    scheduler.poll(StreamOpenings.MAX_NANOS - 1);
    assertWaits(first);
    scheduler.poll(StreamOpenings.MAX_NANOS);
    assertIn(first);
    scheduler.filesOpened(stuck, ms(100));
    assertTrue(scheduler.mayContinue(first, StreamOpenings.MAX_NANOS + ms(1)));
  }

  @Test
  void nobodyRestsForIdleThatOpensItsFiles() {
    Claim first = streamIn(0);
    scheduler.opensFiles(idle(null), 0);
    assertTrue(scheduler.mayContinue(first, ms(2)));
  }

  @Test
  void shortOpeningsThatFollowOneAnotherLeaveWholeTurns() {
    Claim first = streamIn(0);
    int longest = 0;
    int run = 0;
    int held = 0;
    for (int at = 0; at < 1000; at++) {
      Claim opens = be(4, new Stream());
      scheduler.opensFiles(opens, ms(5L * at));
      scheduler.poll(ms(5L * at + 4));
      boolean goesOn = scheduler.mayContinue(first, ms(5L * at + 4));
      held += goesOn ? 0 : 1;
      run = goesOn ? run + 5 : 0;
      longest = Math.max(longest, run);
      scheduler.filesOpened(opens, ms(5L * at + 5));
    }
    assertTrue(longest >= 20 && held > 0 && held <= 250, longest + " ms, held " + held);
  }

  /** A stream of blocks that are opened one after the other, each of which takes 30 ms. */
  /** As those of a client that reads the parts of a block at the same time. */
  @Test
  void readsOfOneStreamThatAskInTurnDoNotKeepTheTurn() {
    Stream stream = new Stream();
    List<Claim> two = List.of(be(0, stream), be(0, stream));
    two.forEach(each -> scheduler.ask(each, 0));
    Claim other = streamWaits(0);
    for (int at = 2; other.isWaiting() && at < 1000; at++) {
      Claim reads = two.get(at % 2);
      reads.read(256 << 10);
      if (!scheduler.mayContinue(reads, ms(at))) {
        scheduler.ask(reads, ms(at));
      }
      assertTrue(at < 2 * 100, "the other one waits for more than two turns");
    }
  }

  @Test
  void aStreamThatHasTheDiskToItselfForLongIsNotLost() {
    Claim alone = streamIn(0);
    for (int at = 0; at < 30_000; at += 2) {
      assertTrue(scheduler.mayContinue(alone, ms(at)));
      alone.read(256 << 10);
    }
    streamWaits(ms(30_001));
    assertEquals(0, counters.lostReads());
  }

  @Test
  void openingsThatFollowOneAnotherLeaveTheOthersHalfOfTheTime() {
    Claim first = streamIn(0);
    Deque<Claim> opens = new ArrayDeque<>();
    int held = 0;
    for (int at = 0; at < 4000; at++) {
      if (at % 20 == 0) {
        opens.add(be(4, new Stream()));
        scheduler.opensFiles(opens.peekLast(), ms(at));
      } else if (at % 20 == 10 && at > 30) {
        scheduler.filesOpened(opens.remove(), ms(at));
      }
      scheduler.poll(ms(at));
      held += scheduler.mayContinue(first, ms(at)) ? 0 : 1;
    }
    assertTrue(held >= 1600 && held <= 2050, held + " of 4000 ms");
  }

  @Test
  void realtimeDoesNotWaitForAStreamThatOpensItsFiles() {
    scheduler.opensFiles(be(4, new Stream()), 0);
    assertTrue(scheduler.askRealtime(Claims.realtime(), false, ms(2)));
  }

  @Test
  void withManyStreamsATurnIsShorter() {
    Claim first = streamIn(0);
    for (int i = 0; i < 19; i++) {
      streamWaits(0);
    }
    long part = TurnLength.CYCLE_NANOS / 20;
    assertTrue(scheduler.mayContinue(first, part - 1));
    assertFalse(scheduler.mayContinue(first, part), "20 streams in a cycle");
    for (int i = 0; i < 200; i++) {
      streamWaits(0);
    }
    assertTrue(scheduler.mayContinue(first, TurnLength.MIN_TURN_NANOS - 1));
    assertFalse(scheduler.mayContinue(first, TurnLength.MIN_TURN_NANOS));
  }

  @Test
  void aTurnIsLookedAtWhenItMayEndOnly() {
    Claim holder = streamIn(0);
    Claim next = streamWaits(0);
    assertEquals(Disk.LOST_NANOS, scheduler.untilDue(0));
    holder.resume(ms(5));
    assertEquals(Disk.LOST_NANOS - ms(1), scheduler.untilDue(ms(6)));
    holder.pause(ms(7));
    assertEquals(Turns.GRACE_NANOS, scheduler.untilDue(ms(7)));
    scheduler.poll(ms(7) + Turns.GRACE_NANOS);
    assertIn(next);
  }

  @Test
  void aTurnEndsAfterAMomentWithoutTheDisk() {
    Claim slow = streamIn(0);
    Claim next = streamWaits(0);
    slow.pause(ms(2));
    pass(0, ms(3) - 1);
    assertWaits(next);
    scheduler.poll(ms(3));
    assertIn(next);
    assertFalse(scheduler.mayContinue(slow, ms(4)));
    assertFalse(scheduler.ask(slow, ms(4)));
  }

  @Test
  void aShorterMomentWithoutTheDiskCostsNothing() {
    Claim first = streamIn(0);
    Claim next = streamWaits(0);
    first.pause(ms(2));
    scheduler.poll(ms(3) - 1);
    first.resume(ms(3) - 1);
    scheduler.poll(ms(50));
    assertWaits(next);
    assertTrue(scheduler.mayContinue(first, ms(50)));
  }

  @Test
  void aTurnThatRealtimeInterruptsEnds() {
    Claim first = streamIn(0);
    Claim second = streamWaits(0);
    first.read(1);
    Claim read = realtimeIn(ms(5));
    assertFalse(scheduler.ask(first, ms(5)));
    scheduler.realtimeDone(read, ms(15));
    assertIn(second);
    assertWaits(first);
  }

  @Test
  void butNotBeforeItHasReadSomething() {
    Claim first = streamIn(0);
    Claim second = streamWaits(0);
    Claim read = realtimeIn(ms(5));
    assertFalse(scheduler.ask(first, ms(5)));
    scheduler.realtimeDone(read, ms(15));
    assertIn(first);
    assertWaits(second);
  }

  @Test
  void aTurnEndsAlsoIfItsReadWasAtTheDiskAllTheTime() {
    Claim first = streamIn(0);
    final Claim second = streamWaits(0);
    first.read(1);
    scheduler.realtimeDone(realtimeIn(ms(5)), ms(15));
    assertFalse(scheduler.mayContinue(first, ms(16)));
    assertFalse(scheduler.ask(first, ms(16)));
    assertIn(second);
  }

  @Test
  void whileRealtimeComesTurnsAreLongerBecauseManyEndEarly() {
    Claim first = streamIn(0);
    for (int i = 0; i < 15; i++) {
      streamWaits(0);
    }
    assertFalse(scheduler.mayContinue(first, TurnLength.CYCLE_NANOS / 16));
    scheduler.realtimeDone(realtimeIn(0), 1);
    assertTrue(scheduler.mayContinue(first, TurnLength.CYCLE_NANOS / 16));
    assertFalse(scheduler.mayContinue(first, TurnLength.REALTIME_CYCLE_NANOS / 16));
  }

  @Test
  void anInterruptedStreamGoesOnIfNoOtherWaits() {
    Claim first = streamIn(0);
    Claim read = realtimeIn(ms(5));
    assertFalse(scheduler.ask(first, ms(5)));
    scheduler.realtimeDone(read, ms(15));
    assertIn(first);
  }

  @Test
  void aStreamAloneNeverAsksAgain() {
    Claim alone = streamIn(0);
    for (int i = 0; i < 1000; i++) {
      alone.read(1 << 20);
      assertTrue(scheduler.mayContinue(alone, ms(10L * i)));
    }
    streamWaits(ms(10_000));
    assertFalse(scheduler.mayContinue(alone, ms(10_000)));
  }

  @Test
  void aStreamOwesNothingForTheTimeInWhichItWasAlone() {
    Claim alone = streamIn(0);
    alone.resume(ms(60_000));
    Claim late = streamWaits(ms(60_000));
    DiskLoop loop = new DiskLoop(scheduler, ms(60_000), List.of(alone, late));
    loop.run(ms(61_000));
    assertEquals(0.5, loop.share(alone), 0.15);
  }

  @Test
  void aStreamSavesNothingWhileItDoesNotRead() {
    Claim sleeper = streamIn(0);
    scheduler.done(sleeper, ms(1));
    Claim busy = be(4, new Stream());
    Claim other = be(4, new Stream());
    scheduler.ask(busy, ms(2));
    scheduler.ask(other, ms(2));
    new DiskLoop(scheduler, ms(2), List.of(busy, other)).run(ms(30_000));
    scheduler.ask(sleeper, ms(30_000));
    DiskLoop loop = new DiskLoop(scheduler, ms(30_000), List.of(busy, other, sleeper));
    loop.run(ms(33_000));
    assertEquals(1 / 3.0, loop.share(sleeper), 0.1);
  }

  @Test
  void aScanByPositionedReadsKeepsItsTurnFromReadToRead() {
    Stream scan = new Stream();
    Claim first = be(4, scan);
    assertTrue(scheduler.ask(first, 0));
    Claim other = streamWaits(0);
    scheduler.done(first, ms(1));
    for (int i = 1; i < 60; i++) {
      long begin = i * ms(1) * 3 / 2;
      scheduler.poll(begin - 1);
      Claim read = be(4, scan);
      assertTrue(scheduler.ask(read, begin));
      scheduler.done(read, begin + ms(1));
      assertWaits(other);
    }
  }

  @Test
  void aScanByPositionedReadsLosesItsTurnWhenItIsUsedUp() {
    Stream scan = new Stream();
    Claim other = null;
    long now = 0;
    int reads = 0;
    while (other == null || other.isWaiting()) {
      Claim read = be(4, scan);
      if (!scheduler.ask(read, now)) {
        break;
      }
      reads++;
      now += ms(1);
      if (other == null) {
        other = streamWaits(now);
      }
      scheduler.done(read, now);
      now += ms(1) / 2;
    }
    assertIn(other);
    assertEquals(100, reads, "of 1 ms each");
  }

  @Test
  void aScanByPositionedReadsThatDoesNotGoOnLosesItsTurn() {
    Claim read = streamIn(0);
    Claim other = streamWaits(0);
    scheduler.done(read, ms(1));
    scheduler.poll(ms(2) - 1);
    assertWaits(other);
    scheduler.poll(ms(2));
    assertIn(other);
  }

  @Test
  void changedLimitsAreInForceAtOnce() {
    Claim first = streamIn(0);
    Claim second = streamWaits(0);
    scheduler.setSettings(new DiskSettings(1, 1 << 20, ms(10), 0.05), ms(5));
    assertTrue(scheduler.mayContinue(first, ms(9)));
    first.read(1 << 20);
    assertFalse(scheduler.mayContinue(first, ms(9)), "bytes");
    assertFalse(scheduler.ask(first, ms(9)));
    assertIn(second);
    assertFalse(scheduler.mayContinue(second, ms(19)), "time");
  }

  @Test
  void aShareOfAllEndsAPauseInProgress() {
    realtimeIn(0);
    streamWaits(ms(1));
    Claim excess = realtime();
    assertFalse(scheduler.askRealtime(excess, !OPENING, ms(400)));
    scheduler.setSettings(settings(1), ms(401));
    scheduler.poll(ms(401));
    assertIn(excess);
  }
}
