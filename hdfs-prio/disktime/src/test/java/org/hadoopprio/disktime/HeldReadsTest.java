// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.disktime;

import static org.hadoopprio.disktime.Claims.be;
import static org.hadoopprio.disktime.Claims.ms;
import static org.hadoopprio.disktime.Claims.realtime;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.api.Test;

/** Reads with a latency target are held until they have to begin. */
class HeldReadsTest extends DiskScenario {

  /** What the first real-time reads are assumed to need; nothing has been seen yet. */
  private final long needed = 2 * DiskCosts.LONE_READ_NANOS;

  @Test
  void aReadGoesAtOnceIfNobodyElseWantsTheDisk() {
    assertTrue(scheduler.askRealtime(within(100, 0), OPENING, 0));
  }

  @Test
  void aReadIsHeldWhileAStreamReadsUntilItHasToBegin() {
    Claim stream = streamIn(0);
    Claim read = held(100, ms(1));
    assertTrue(scheduler.mayContinue(stream, ms(50)));
    pass(ms(1), ms(101) - needed - 1);
    assertWaits(read);
    assertTrue(scheduler.mayContinue(stream, ms(101) - needed - 1));
    pass(ms(101) - needed - 1, ms(101) - needed);
    assertIn(read);
    scheduler.opened(read, ms(90));
    assertFalse(scheduler.mayContinue(stream, ms(90)));
  }

  @Test
  void aReadGoesAtOnceIfItsTargetLeavesNoTime() {
    streamIn(0);
    assertTrue(scheduler.askRealtime(within(14, ms(1)), OPENING, ms(1)));
  }

  @Test
  void aReadGoesWhenTheStreamsHaveEnded() {
    Claim stream = streamIn(0);
    Claim read = held(1000, ms(1));
    scheduler.done(stream, ms(2));
    pass(ms(2), ms(2) + RealtimeReads.CONTENDED_NANOS + ms(1));
    assertIn(read);
  }

  @Test
  void readsBeginTogetherWhenTheFirstHasTo() {
    streamIn(0);
    Claim late = held(500, ms(1));
    Claim early = held(100, ms(2));
    long due = ms(102) - needed - DiskCosts.LONE_READ_NANOS;
    pass(ms(2), due - 1);
    assertWaits(early);
    pass(due - 1, due);
    assertIn(early);
    assertIn(late);
  }

  @Test
  void whatReadsNeedIsLearned() {
    streamIn(0);
    long now = ms(1);
    for (int i = 0; i < 40; i++) {
      Claim read = held(100, now);
      long begun = now;
      while (read.isWaiting()) {
        begun += ms(1);
        scheduler.poll(begun);
      }
      scheduler.opened(read, begun);
      scheduler.realtimeDone(read, begun + ms(30));
      now += ms(200);
    }
    // They took some 30 ms from their begin.
    Claim read = held(100, now);
    pass(now, now + ms(60));
    assertWaits(read);
    pass(now + ms(60), now + ms(75));
    assertIn(read);
  }

  /** What need not begin yet does not compete, so it gives real-time no greater share. */
  @Test
  void readsThatAreHeldTakeNothingFromOthers() {
    double without = partOfStream(0);
    double with = partOfStream(16);
    assertTrue(with > without - 0.05, with + ", " + without + " if none is held");
  }

  /** What a stream has of the disk beside a real-time reader and reads that are held. */
  private double partOfStream(int heldReads) {
    final Disk disk = scheduler(1);
    Claim stream = be(4, new Stream());
    disk.ask(stream, 0);
    for (int i = 0; i < heldReads; i++) {
      disk.askRealtime(within(60_000, 0), !OPENING, 0);
    }
    Claim read = realtime();
    long nanos = 0;
    for (long now = ms(1); now < ms(9_000); now += ms(1)) {
      disk.poll(now);
      if (read.isIn() && now - read.use.enteredAt() >= ms(10)) {
        disk.realtimeDone(read, now);
      }
      if (read.isOut()) {
        disk.askRealtime(read, !OPENING, now);
      }
      if (stream.isIn() && !read.isIn()) {
        nanos += ms(1);
        stream.read(160_000);
      }
      if (stream.isIn() && !disk.mayContinue(stream, now)) {
        disk.ask(stream, now);
      }
    }
    return nanos / (double) ms(9_000);
  }

  @Test
  void whatAClientTakesIsNotCountedAsTimeOfTheDisk() {
    streamIn(0);
    long now = ms(1);
    for (int i = 0; i < 20; i++) {
      Claim read = held(100, now);
      long begun = begin(read, now);
      scheduler.paused(read, begun + ms(10));
      scheduler.realtimeDone(read, begun + ms(90));
      now = begun + ms(200);
    }
    Claim read = held(100, now);
    pass(now, now + ms(75));
    assertWaits(read);
  }

  @Test
  void aReadWithoutATargetIsNotHeld() {
    Claim stream = streamIn(0);
    Claim read = held(100, ms(1));
    realtimeIn(ms(2));
    assertWaits(read);
    assertFalse(scheduler.mayContinue(stream, ms(2)));
  }

  @Test
  void whatIsWithdrawnIsHeldNoMore() {
    streamIn(0);
    Claim early = held(50, ms(1));
    Claim late = held(500, ms(1));
    assertFalse(scheduler.isRealtimePaused(early));
    scheduler.withdraw(early, ms(2));
    pass(ms(2), ms(100));
    assertWaits(late);
    assertEquals(1, scheduler.waiting());
  }

  @Test
  void noReadIsHeldForLongerThanClientsWait() {
    streamIn(0);
    Claim read = held(60_000, ms(1));
    pass(ms(1), ms(1) + HeldReads.MAX_HOLD_NANOS);
    assertIn(read);
  }

  @Test
  void aBestEffortReadThatHasToBeginEndsTheTurnOfAStream() {
    Claim stream = streamIn(0);
    streamWaits(0);
    Claim plain = shortWaits(ms(1));
    Claim urgent = be(4, null);
    urgent.setDeadline(ms(81), 0);
    assertFalse(scheduler.ask(urgent, ms(1)));
    stream.read(1 << 20);
    assertTrue(scheduler.mayContinue(stream, ms(25)));
    long due = ms(81) - needed - TurnLength.MIN_TURN_NANOS;
    assertFalse(scheduler.mayContinue(stream, due));
    scheduler.ask(stream, due);
    assertIn(urgent);
    assertIn(plain);
  }

  @Test
  void ofShortReadsThoseThatHaveToBeginGoFirst() {
    Claim stream = streamIn(0);
    for (int i = 0; i < 2 * ShortDepth.MOST; i++) {
      shortWaits(ms(1));
    }
    Claim urgent = be(7, null);
    urgent.setDeadline(ms(30), 0);
    assertFalse(scheduler.ask(urgent, ms(1)));
    scheduler.done(stream, ms(25));
    pass(ms(25), ms(25) + Turns.GRACE_NANOS);
    assertIn(urgent);
  }

  @Test
  void bestEffortReadsThatAlwaysHaveToBeginLeaveStreamsAThird() {
    Claim stream = streamIn(0);
    long streamNanos = 0;
    long now = 0;
    long begun = 0;
    while (now < ms(10_000)) {
      Claim urgent = be(0, null);
      urgent.setDeadline(now + ms(1), 0);
      scheduler.ask(urgent, now);
      now += ms(5);
      if (stream.isIn()) {
        stream.read(256 << 10);
        if (!scheduler.mayContinue(stream, now)) {
          streamNanos += now - begun;
          scheduler.ask(stream, now);
          begun = now;
        }
      } else {
        begun = now;
      }
      for (Claim each : List.copyOf(granted)) {
        if (each.stream == null) {
          granted.remove(each);
          scheduler.done(each, now);
        }
      }
      scheduler.poll(now);
    }
    double share = (double) streamNanos / now;
    assertTrue(share > 0.3, "streams had " + share);
  }
}
