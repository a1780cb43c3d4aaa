// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.disktime;

import static org.hadoopprio.disktime.Claims.be;
import static org.hadoopprio.disktime.Claims.idle;
import static org.hadoopprio.disktime.Claims.ms;
import static org.hadoopprio.disktime.Claims.realtime;
import static org.hadoopprio.disktime.Claims.settings;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** Who had the disk while a read waited; {@link DiskPropertyTest} has what always holds. */
class BlameTest extends DiskScenario {

  private final Tenant first = new Tenant("first");
  private final Tenant second = new Tenant("second");

  private Claim asks(Claim claim, Tenant tenant, long at) {
    claim.setOwner(new Owner(claim.diskClass(), tenant));
    scheduler.ask(claim, at);
    return claim;
  }

  private Claim stream(Tenant tenant, long at) {
    return asks(be(4, new Stream()), tenant, at);
  }

  private long blamed(Tenant waiter, Tenant holder, DiskClass ofClass) {
    return counters.of(waiter).blamedNanos().getOrDefault(new Owner(ofClass, holder), 0L);
  }

  /** A turn outlasts its last use for a moment. */
  private static void assertHad(long nanos, long had) {
    assertTrue(had >= nanos && had <= nanos + Turns.GRACE_NANOS, had + " ns");
  }

  @Test
  void aWaitIsBlamedOnEachClassOfWhoHadTheDisk() {
    Claim turn = stream(first, 0);
    Claim waits = stream(second, ms(5));
    assertWaits(waits);
    scheduler.done(turn, ms(10));
    Claim read = realtime();
    read.setOwner(new Owner(read.diskClass(), first));
    assertTrue(scheduler.askRealtime(read, !OPENING, ms(10)));
    scheduler.realtimeDone(read, ms(30));
    pass(ms(30), ms(100));
    assertIn(waits);
    assertEquals(1, counters.of(second).waits());
    assertTrue(counters.of(second).waitNanos() >= ms(25));
    assertEquals(ms(20), blamed(second, first, DiskClass.REALTIME));
    assertHad(ms(5), blamed(second, first, DiskClass.BEST_EFFORT));
    assertEquals(2, counters.of(second).blamedNanos().size());
    assertEquals(0, counters.of(first).waits());
  }

  @Test
  void idleIsBlamedAsIdle() {
    Claim turn = asks(idle(new Stream()), first, 0);
    Claim waits = stream(first, ms(5));
    assertWaits(waits);
    scheduler.done(turn, ms(15));
    pass(ms(15), ms(100));
    assertIn(waits);
    assertHad(ms(10), blamed(first, first, DiskClass.IDLE));
    assertEquals(1, counters.of(first).blamedNanos().size());
  }

  @Test
  void whoGoesAtOnceHasNotWaited() {
    Claim claim = stream(first, 0);
    assertIn(claim);
    scheduler.done(claim, ms(1));
    assertEquals(0, counters.of(first).waits());
  }

  @Test
  void whoGivesUpHasWaitedToo() {
    stream(first, 0);
    Claim waits = stream(second, ms(5));
    scheduler.withdraw(waits, ms(15));
    assertEquals(ms(10), counters.of(second).waitNanos());
    assertEquals(ms(10), blamed(second, first, DiskClass.BEST_EFFORT));
  }

  private void waitsFrom(long from, long to, Claim claim) {
    asks(claim, second, from);
    assertWaits(claim);
    scheduler.withdraw(claim, to);
  }

  @Test
  void aReadThatWaitsLongerThanIsAllowedIsRemembered() {
    scheduler.setSettings(settings(0.5).slowAfter(ms(30)), 0);
    stream(first, 0);
    waitsFrom(ms(5), ms(35), be(4, new Stream()));
    assertEquals(List.of(), scheduler.slowReads().last());
    waitsFrom(ms(40), ms(71), be(4, null));
    SlowRead read = scheduler.slowReads().last().get(0);
    assertEquals(second, read.owner().tenant());
    assertEquals("be", read.priority());
    assertEquals(ms(71), read.endedAt());
    assertEquals(ms(31), read.waitNanos());
    assertEquals(Map.of(new Owner(DiskClass.BEST_EFFORT, first), ms(31)), read.heldNanos());
    assertEquals(1, counters.of(second).slow());
    assertEquals(0, counters.of(first).slow());
  }

  @Test
  void nobodyWaitsWithAWrite() {
    scheduler.setSettings(settings(0.5).slowAfter(ms(30)), 0);
    stream(first, 0);
    Claim write = be(4, new Stream());
    write.setWrites();
    waitsFrom(0, ms(100), write);
    assertEquals(0, scheduler.slowReads().count());
    assertEquals(1, counters.of(second).waits());
  }

  @Test
  void aChangedTimeCountsAtOnceAndZeroIsNone() {
    stream(first, 0);
    waitsFrom(0, ms(1001), be(4, new Stream()));
    assertEquals(1, scheduler.slowReads().count(), "a second by default");
    scheduler.setSettings(settings(0.5).slowAfter(0), ms(1001));
    waitsFrom(ms(1001), ms(5000), be(4, new Stream()));
    assertEquals(1, scheduler.slowReads().count());
    scheduler.setSettings(settings(0.5).slowAfter(1), ms(5000));
    waitsFrom(ms(5000), ms(5001), be(4, new Stream()));
    assertEquals(2, scheduler.slowReads().count());
  }

  @Test
  void theLastHundredAreRemembered() {
    scheduler.setSettings(settings(0.5).slowAfter(1), 0);
    stream(first, 0);
    for (int i = 0; i < SlowReads.MOST + 5; i++) {
      waitsFrom(ms(i), ms(i + 1), be(4, new Stream()));
    }
    assertEquals(SlowReads.MOST + 5, scheduler.slowReads().count());
    List<SlowRead> last = scheduler.slowReads().last();
    assertEquals(SlowReads.MOST, last.size());
    assertEquals(ms(6), last.get(0).endedAt());
    assertEquals(ms(SlowReads.MOST + 5), last.get(SlowReads.MOST - 1).endedAt());
  }

  @Test
  void theEightThatHadMostAreRemembered() {
    Blame blame = new Blame(counters, () -> settings(0.5));
    blame.had(new Owner(DiskClass.IDLE, first), ms(7000));
    Claim waits = be(4, new Stream());
    waits.setOwner(new Owner(waits.diskClass(), second));
    waits.askedAt = ms(7000);
    blame.waits(waits);
    for (int i = 1; i <= 9; i++) {
      blame.had(new Owner(DiskClass.REALTIME, first, "role " + i), ms(100L * i));
    }
    blame.had(new Owner(DiskClass.BEST_EFFORT, new Tenant("newcomer")), ms(450));
    blame.ends(waits, ms(9000));
    SlowRead read = blame.slowReads().last().get(0);
    assertEquals(
        List.of(
            "first rt role 9",
            "first rt role 8",
            "first rt role 7",
            "first rt role 6",
            "first rt role 5",
            "newcomer be",
            "first rt role 4",
            "first rt role 3"),
        read.heldNanos().keySet().stream().map(Owner::toString).collect(Collectors.toList()));
    assertEquals(ms(900), read.heldNanos().get(new Owner(DiskClass.REALTIME, first, "role 9")));
    assertEquals(10, counters.of(second).blamedNanos().size());
  }

  private static Claim of(Claim claim, Tenant tenant, String role) {
    claim.setOwner(new Owner(claim.diskClass(), tenant, role));
    return claim;
  }

  @Test
  void whatTheDiskWasUsedForIsToldApart() {
    Claim compacts = of(be(4, new Stream()), first, "compaction");
    scheduler.ask(compacts, 0);
    waitsFrom(ms(5), ms(45), be(4, new Stream()));
    scheduler.done(compacts, ms(45));
    pass(ms(45), ms(50));
    scheduler.ask(of(be(4, new Stream()), first, "client-read"), ms(50));
    waitsFrom(ms(50), ms(80), be(4, new Stream()));
    Map<Owner, Long> blamed = counters.of(second).blamedNanos();
    assertEquals(
        Map.of(
            new Owner(DiskClass.BEST_EFFORT, first, "compaction"), ms(40),
            new Owner(DiskClass.BEST_EFFORT, first, "client-read"), ms(30)),
        blamed);
  }

  @Test
  void ofReadsThatAreAtTheDiskTogetherTheLastOneStandsForAll() {
    Claim get = of(realtime(), first, "client-read");
    Claim log = of(realtime(), first, "wal");
    scheduler.askRealtime(get, !OPENING, 0);
    Claim waits = stream(second, 0);
    scheduler.askRealtime(log, !OPENING, ms(10));
    scheduler.realtimeDone(log, ms(15));
    scheduler.realtimeDone(get, ms(18));
    pass(ms(18), ms(100));
    assertIn(waits);
    Map<Owner, Long> blamed = counters.of(second).blamedNanos();
    assertEquals(ms(10), blamed.get(new Owner(DiskClass.REALTIME, first, "client-read")));
    assertEquals(ms(8), blamed.get(new Owner(DiskClass.REALTIME, first, "wal")));
  }

  @Test
  void aClaimIsOfTheClassOfItsOwner() {
    Claim claim = be(4, null);
    assertThrows(
        IllegalStateException.class, () -> claim.setOwner(new Owner(DiskClass.IDLE, first)));
  }
}
