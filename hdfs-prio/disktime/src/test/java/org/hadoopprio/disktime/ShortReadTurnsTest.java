// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.disktime;

import static org.hadoopprio.disktime.Claims.be;
import static org.hadoopprio.disktime.Claims.ms;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Short reads and syncs go between the turns of streams. */
class ShortReadTurnsTest extends DiskScenario {

  /** No turn is as long. */
  private static final long LONG_OVER = ms(2_000);

  @Test
  void theyGoTogetherBetweenTwoTurns() {
    Claim stream = streamIn(0);
    streamWaits(0);
    int depth = ShortDepth.MOST;
    List<Claim> reads = new ArrayList<>();
    for (int i = 0; i < depth + 2; i++) {
      reads.add(shortWaits(ms(1)));
    }
    assertFalse(scheduler.ask(stream, END_OF_TURN));
    assertEquals(reads.subList(0, depth), granted.subList(1, 1 + depth));
    assertWaits(reads.get(depth));
    scheduler.done(reads.get(2), ms(110));
    assertIn(reads.get(depth));
    assertWaits(reads.get(depth + 1));
  }

  /** The disk would run empty at the end of each turn. */
  @Test
  void whereNobodyElseWaitsTheyGoOn() {
    List<Claim> all = shorts(0);
    long now = LONG_OVER;
    for (Claim each : all.subList(0, ShortDepth.MOST)) {
      assertEquals(ShortDepth.MOST, all.stream().filter(Claim::isIn).count());
      scheduler.done(each, ++now);
    }
  }

  @Test
  void whoComesThenWaitsUntilTheyHaveLeft() {
    List<Claim> all = shorts(0);
    scheduler.done(all.get(0), LONG_OVER);
    Claim stream = streamWaits(LONG_OVER);
    long now = LONG_OVER + ms(100);
    for (Claim each : all.subList(1, ShortDepth.MOST + 1)) {
      assertWaits(stream);
      scheduler.done(each, now);
    }
    assertIn(stream);
  }

  /** Where some go before others, a drive that never runs empty leaves them aside. */
  @Test
  void whereSomeGoBeforeOthersATurnEnds() {
    goes(be(0, null), 0);
    List<Claim> all = shorts(ms(20));
    for (int i = 0; i < ShortDepth.IN_ORDER; i++) {
      assertEquals(ShortDepth.IN_ORDER - i, all.stream().filter(Claim::isIn).count());
      scheduler.done(all.get(i), LONG_OVER + i);
    }
    assertEquals(ShortDepth.IN_ORDER, all.stream().filter(Claim::isIn).count());
  }

  @Test
  void fewGoTogetherUntilOneOfAGreaterWeightHasNotComeForLong() {
    goes(be(0, null), 0);
    assertEquals(ShortDepth.IN_ORDER, shortsAtTheDisk(ShortDepth.ORDER_NANOS - ms(1)));
    assertEquals(ShortDepth.MOST, shortsAtTheDisk(ShortDepth.ORDER_NANOS));
  }

  @Test
  void oneOfAGreaterWeightGoesBesideMany() {
    List<Claim> all = shorts(0);
    Claim greater = be(0, null);
    assertFalse(scheduler.ask(greater, ms(1)));
    scheduler.done(all.get(0), ms(2));
    scheduler.done(all.get(1), ms(3));
    assertIn(greater);
    scheduler.done(all.get(2), ms(4));
    assertWaits(all.get(ShortDepth.MOST + 1));
  }

  @Test
  void manyGoTogetherBesideOneOfALesserWeight() {
    goes(be(7, null), 0);
    assertEquals(ShortDepth.MOST, shortsAtTheDisk(ms(11)));
  }

  @Test
  void fewGoTogetherUntilRealtimeHasNotComeForLong() {
    scheduler.realtimeDone(realtimeIn(0), ms(5));
    long later = ms(5) + ShortDepth.ORDER_NANOS;
    assertEquals(ShortDepth.IN_ORDER, shortsAtTheDisk(later - ms(1)));
    assertEquals(ShortDepth.MOST, shortsAtTheDisk(later));
  }

  @Test
  void fewGoTogetherUntilNoneWithATargetHasComeForLong() {
    Claim due = be(4, null);
    due.setDeadline(ms(500), 0);
    goes(due, 0);
    assertEquals(ShortDepth.IN_ORDER, shortsAtTheDisk(ShortDepth.ORDER_NANOS - ms(1)));
    assertEquals(ShortDepth.MOST, shortsAtTheDisk(ShortDepth.ORDER_NANOS));
  }

  private void goes(Claim claim, long at) {
    assertTrue(scheduler.ask(claim, at));
    scheduler.done(claim, at + ms(10));
  }

  private List<Claim> shorts(long at) {
    List<Claim> all = new ArrayList<>();
    for (int i = 0; i < 2 * ShortDepth.MOST; i++) {
      all.add(be(4, null));
      scheduler.ask(all.get(i), at);
    }
    return all;
  }

  /** Of many that come at a time. */
  private int shortsAtTheDisk(long at) {
    List<Claim> all = shorts(at);
    int in = (int) all.stream().filter(Claim::isIn).count();
    all.forEach(each -> leave(each, at));
    return in;
  }

  private void leave(Claim claim, long now) {
    if (claim.isIn()) {
      scheduler.done(claim, now);
    } else {
      scheduler.withdraw(claim, now);
    }
  }

  @Test
  void theyHaveEverySecondTurnAtMost() {
    Claim stream = streamIn(0);
    Claim other = streamWaits(0);
    // Always eight short reads of 5 ms.
    for (int i = 0; i < 8; i++) {
      shortWaits(0);
    }
    long now = ms(100);
    assertFalse(scheduler.ask(stream, now));
    int turnsOfStreams = 0;
    int turnsOfShort = 0;
    while (now < ms(10_000)) {
      Claim in = stream.isIn() ? stream : other;
      if (in.isIn()) {
        turnsOfStreams++;
        now += ms(100);
        scheduler.ask(in, now);
        continue;
      }
      turnsOfShort++;
      long begun = now;
      while (!stream.isIn() && !other.isIn()) {
        now += ms(5);
        Claim done = oldestShortIn();
        scheduler.done(done, now);
        scheduler.ask(be(4, null), now);
        assertTrue(now - begun <= ms(145), "100 ms and those that are in");
      }
    }
    assertEquals(turnsOfStreams, turnsOfShort, 1);
  }

  private Claim oldestShortIn() {
    return granted.stream()
        .filter(each -> each.stream == null && each.isIn())
        .findFirst()
        .orElseThrow();
  }

  @Test
  void withoutStreamsTheyFollowOneAnother() {
    List<Claim> reads = new ArrayList<>();
    for (int i = 0; i < 400; i++) {
      Claim read = be(4, null);
      scheduler.ask(read, 0);
      reads.add(read);
    }
    long now = 0;
    for (Claim read : reads) {
      now += ms(5);
      assertIn(read);
      scheduler.done(read, now);
    }
  }

  @Test
  void onesSlowClientCostsItsPlace() {
    Claim slow = be(4, null);
    assertTrue(scheduler.ask(slow, 0));
    slow.pause(ms(1));
    Claim stream = streamWaits(ms(1));
    pass(ms(1), ms(3));
    assertIn(stream);
  }

  @Test
  void oneOfAGreaterWeightShortensTheTurnOfAStream() {
    Claim stream = be(6, new Stream());
    assertTrue(scheduler.ask(stream, 0));
    streamWaits(ms(1));
    Claim sync = sync();
    assertFalse(scheduler.ask(sync, ms(2)));
    assertTrue(scheduler.mayContinue(stream, ms(25) - 1));
    assertFalse(scheduler.mayContinue(stream, ms(25)), "100 ms by the weights 2 and 8");
    assertFalse(scheduler.ask(stream, ms(25)));
    assertIn(sync);
  }

  @Test
  void butNotBelowHalfOfWhatShortReadsHadBefore() {
    Claim stream = be(6, new Stream());
    assertTrue(scheduler.ask(stream, 0));
    Claim sync = sync();
    assertFalse(scheduler.ask(sync, ms(2)));
    assertFalse(scheduler.ask(stream, ms(25)));
    scheduler.done(sync, ms(105));
    long begun = ms(105) + Turns.GRACE_NANOS;
    pass(ms(105), begun);
    assertIn(stream);
    assertFalse(scheduler.ask(sync, begun));
    assertTrue(scheduler.mayContinue(stream, begun + ms(40) - 1));
    assertFalse(scheduler.mayContinue(stream, begun + ms(40)), "half of 80 ms");
  }

  @Test
  void aSyncOfAGreaterWeightThatComesAgainAtOnceGoesOn() {
    Claim stream = be(6, new Stream());
    assertTrue(scheduler.ask(stream, 0));
    Claim sync = sync();
    assertFalse(scheduler.ask(sync, ms(2)));
    assertFalse(scheduler.ask(stream, ms(50)));
    long now = ms(50);
    for (int i = 0; i < 4; i++) {
      now += ms(20);
      scheduler.done(sync, now);
      assertWaits(stream);
      now += Turns.GRACE_NANOS - 1;
      scheduler.poll(now);
      assertTrue(scheduler.ask(sync, now));
    }
    scheduler.done(sync, ms(50) + END_OF_TURN);
    assertIn(stream);
  }

  @Test
  void aSyncThatDoesNotComeAgainIsNotAwaitedForLong() {
    Claim stream = be(6, new Stream());
    assertTrue(scheduler.ask(stream, 0));
    Claim sync = sync();
    assertFalse(scheduler.ask(sync, ms(2)));
    assertFalse(scheduler.ask(stream, ms(50)));
    scheduler.done(sync, ms(60));
    assertWaits(stream);
    pass(ms(60), ms(60) + Turns.GRACE_NANOS);
    assertIn(stream);
  }

  @Test
  void aSyncOfNoGreaterWeightIsNotAwaited() {
    Claim stream = be(0, new Stream());
    assertTrue(scheduler.ask(stream, 0));
    assertNotAwaited(sync(), stream);
  }

  @Test
  void aReadIsNotAwaited() {
    assertNotAwaited(be(0, null), streamIn(0));
  }

  private void assertNotAwaited(Claim first, Claim stream) {
    assertFalse(scheduler.ask(first, ms(1)));
    assertFalse(scheduler.ask(stream, END_OF_TURN));
    assertIn(first);
    scheduler.done(first, ms(110));
    assertIn(stream);
  }

  private Claim sync() {
    Claim made = be(0, null);
    made.setWrites();
    made.setSyncs();
    return made;
  }

  @Test
  void oneOfAGreaterWeightThatStopsWaitingShortensNothing() {
    Claim stream = be(6, new Stream());
    assertTrue(scheduler.ask(stream, 0));
    streamWaits(ms(1));
    Claim sync = sync();
    assertFalse(scheduler.ask(sync, ms(2)));
    scheduler.withdraw(sync, ms(3));
    assertTrue(scheduler.mayContinue(stream, END_OF_TURN - 1));
  }

  @Test
  void butATurnIsNeverTooShort() {
    Claim stream = be(7, new Stream());
    assertTrue(scheduler.ask(stream, 0));
    assertFalse(scheduler.ask(be(0, null), ms(2)));
    assertTrue(scheduler.mayContinue(stream, TurnLength.MIN_TURN_NANOS - 1));
    assertFalse(scheduler.mayContinue(stream, TurnLength.MIN_TURN_NANOS));
  }

  @ParameterizedTest
  @ValueSource(ints = {4, 7})
  void oneOfNoGreaterWeightWaitsForTheWholeTurn(int level) {
    Claim stream = streamIn(0);
    assertFalse(scheduler.ask(be(level, null), ms(2)));
    assertTrue(scheduler.mayContinue(stream, END_OF_TURN - 1));
    assertFalse(scheduler.mayContinue(stream, END_OF_TURN));
  }

  /** A sync of what was written while nobody read may take as long as it likes. */
  @Test
  void aLongSyncKeepsOthersWaitingForASecond() {
    Claim stream = streamIn(0);
    Claim sync = sync();
    assertFalse(scheduler.ask(sync, ms(1)));
    scheduler.done(stream, ms(2));
    long begun = ms(2) + Turns.GRACE_NANOS;
    pass(ms(2), begun);
    assertIn(sync);
    assertFalse(scheduler.ask(stream, begun));
    pass(begun, begun + Turns.MAX_SYNC_NANOS - ms(1));
    assertWaits(stream);
    pass(begun, begun + Turns.MAX_SYNC_NANOS + ms(2));
    assertIn(stream);
    assertEquals(0, counters.lostReads());
  }

  /** Anybody may sync at idle, and one that takes long is paid for. */
  @Test
  void longSyncsAtIdleHaveNoMoreThanIdleMay() {
    Claim stream = streamIn(0);
    Claim sync = Claims.idle(null);
    sync.setWrites();
    sync.setSyncs();
    scheduler.ask(sync, 0);
    long streamNanos = 0;
    for (long now = ms(1); now < ms(60_000); now += ms(1)) {
      scheduler.poll(now);
      if (sync.isIn() && now - sync.use.enteredAt() >= ms(900)) {
        scheduler.done(sync, now);
      }
      if (sync.isOut()) {
        scheduler.ask(sync, now);
      }
      if (stream.isIn()) {
        streamNanos += ms(1);
        stream.read(160_000);
        if (!scheduler.mayContinue(stream, now)) {
          scheduler.ask(stream, now);
        }
      }
    }
    double part = streamNanos / (double) ms(60_000);
    assertTrue(part > 0.85, part + " for the stream");
  }

  /** One sync of 30 ms directly after the other, beside two streams of a compaction. */
  @Test
  void syncsHaveMostOfTheDiskAndStreamsLongRuns() {
    List<Claim> streams = List.of(be(6, new Stream()), be(6, new Stream()));
    streams.forEach(each -> scheduler.ask(each, 0));
    Claim sync = sync();
    int syncs = 0;
    long streamsHad = 0;
    for (long now = 0; now < ms(10_000); now += ms(1)) {
      scheduler.poll(now);
      if (sync.isIn() && now - sync.use.enteredAt() >= ms(30)) {
        scheduler.done(sync, now);
        syncs++;
      }
      if (sync.isOut()) {
        scheduler.ask(sync, now);
      }
      for (Claim stream : streams) {
        if (stream.isIn()) {
          streamsHad += ms(1);
          if (!scheduler.mayContinue(stream, now)) {
            scheduler.ask(stream, now);
          }
        }
      }
    }
    // 4 syncs, the last of which begins within 100 ms, and half of their time.
    assertEquals(10_000 / 180 * 4, syncs, 8);
    assertEquals(10_000 / 3.0, streamsHad / 1e6, 200);
  }

  @Test
  void theFirstOneGoesWithoutWaitingForATurnOfAStream() {
    Claim stream = streamIn(0);
    Claim lone = shortWaits(ms(1));
    for (int i = 0; i < 15; i++) {
      streamWaits(ms(1));
    }
    assertFalse(scheduler.ask(stream, END_OF_TURN));
    assertIn(lone);
  }
}
