// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.disktime;

import static org.hadoopprio.disktime.Claims.be;
import static org.hadoopprio.disktime.Claims.ms;
import static org.hadoopprio.disktime.Claims.realtime;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** What tenants owe each other, and when; {@code TenantsTest} has what they get in the long run. */
class TenantTurnsTest extends DiskScenario {

  private final Tenant first = new Tenant("first");
  private final Tenant second = new Tenant("second");

  private Claim stream(Tenant tenant, long at) {
    Claim claim = be(4, new Stream());
    claim.setOwner(new Owner(claim.diskClass(), tenant));
    scheduler.ask(claim, at);
    return claim;
  }

  private List<Claim> streams(Tenant tenant, int count, long at) {
    List<Claim> streams = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      streams.add(stream(tenant, at));
    }
    return streams;
  }

  private void realtimeRead(Tenant tenant, long from, long to) {
    Claim claim = realtime();
    claim.setOwner(new Owner(claim.diskClass(), tenant));
    scheduler.askRealtime(claim, !OPENING, from);
    for (long now = from; now < to; now += ms(10)) {
      scheduler.resumed(claim, now);
    }
    scheduler.realtimeDone(claim, to);
  }

  private void assertEqualFor(long begun) {
    List<Claim> its = streams(first, 3, begun);
    List<Claim> others = streams(second, 3, begun);
    DiskLoop loop = new DiskLoop(scheduler, begun, its, others);
    loop.run(begun + ms(4000));
    assertEquals(0.5, loop.share(its), 0.06);
    assertEquals(0.5, loop.share(others), 0.06);
  }

  @Test
  void whoHadTheDiskWhileNobodyElseAskedOwesNothing() {
    realtimeRead(first, 0, ms(5000));
    assertEqualFor(ms(5000));
  }

  @Test
  void theSameInTurns() {
    List<Claim> alone = streams(first, 2, 0);
    run(alone, 0, ms(5000));
    end(alone, ms(5001));
    assertEqualFor(ms(5001));
  }

  private Claim shortRead(Tenant tenant, int level, long at) {
    Claim claim = be(level, null);
    claim.setOwner(new Owner(claim.diskClass(), tenant));
    scheduler.ask(claim, at);
    return claim;
  }

  /** A stream of the other one that has read until then, and owes as much for its limit. */
  private Claim limited(double limit, long until) {
    second.setTerms(new Tenant.Terms(1, 0, limit));
    Claim claim = stream(second, 0);
    scheduler.done(claim, until);
    return claim;
  }

  /** Nobody tells when its limit lets it. */
  @Test
  void shortReadsOfOneTenantDoNotGoOnWhereAnotherMayGoAgain() {
    Claim stream = limited(0.5, ms(500));
    List<Claim> shorts = new ArrayList<>();
    for (int i = 0; i < 2 * ShortDepth.MOST; i++) {
      shorts.add(shortRead(first, 4, ms(550)));
    }
    scheduler.ask(stream, ms(551));
    for (Claim each : shorts.subList(0, ShortDepth.MOST)) {
      assertWaits(stream);
      scheduler.done(each, ms(1000));
    }
    assertIn(stream);
    assertEquals(stream.stream, stream.turn.stream);
  }

  @Test
  void whatGoesOnOverSeveralTurnsCountsOnce() {
    List<Claim> shorts = new ArrayList<>();
    for (int i = 0; i < ShortDepth.MOST; i++) {
      shorts.add(shortRead(first, 4, 0));
    }
    for (long now = ms(200); now <= ms(1000); now += ms(200)) {
      shortRead(first, 4, now);
      assertEquals(now, counters.of(first).usedNanos());
    }
    shorts.forEach(each -> scheduler.done(each, ms(1100)));
    assertTrue(counters.of(first).usedNanos() <= ms(1100));
  }

  @Test
  void whoMayNotGoDoesNotRenewATurn() {
    Claim stream = limited(0.01, ms(500));
    scheduler.done(shortRead(first, 0, ms(1000)), ms(1010));
    Claim last = shortRead(first, 7, ms(10_900));
    scheduler.ask(stream, ms(11_100));
    assertIn(last);
    assertWaits(stream);
  }

  /** Or its syncs would wait for as long as it has read. */
  @Test
  void realtimeReadsTakeNothingFromTheTurnsOfTheirTenant() {
    List<Claim> its = streams(first, 2, 0);
    List<Claim> others = streams(second, 2, 0);
    realtimeRead(first, 0, ms(2000));
    DiskLoop loop = new DiskLoop(scheduler, ms(2000), its, others);
    loop.run(ms(6000));
    assertEquals(0.5, loop.share(its), 0.06);
  }

  private void run(List<Claim> some, long from, long to) {
    new DiskLoop(scheduler, from, some).run(to);
  }

  private void end(List<Claim> some, long now) {
    for (Claim claim : some) {
      if (claim.isWaiting()) {
        scheduler.withdraw(claim, now);
      } else {
        scheduler.done(claim, now);
      }
    }
  }

  @Test
  void whatATenantHasAloneCostsItNothingOfItsGuarantee() {
    first.setTerms(new Tenant.Terms(0.01, 0.3, 1));
    List<Claim> its = streams(first, 2, 0);
    run(its, 0, ms(60_000));
    List<Claim> others = streams(second, 4, ms(60_000));
    DiskLoop loop = new DiskLoop(scheduler, ms(60_000), its, others);
    loop.run(ms(70_000));
    assertTrue(loop.share(its) >= 0.27, "guaranteed: " + loop.share(its));
  }

  @Test
  void whoComesWaitsForNobodyWhoWentByGuarantee() {
    first.setTerms(new Tenant.Terms(1, 0.6, 1));
    List<Claim> its = streams(first, 2, 0);
    List<Claim> others = streams(second, 4, 0);
    new DiskLoop(scheduler, 0, its, others).run(ms(60_000));
    List<Claim> newcomers = streams(new Tenant("third"), 2, ms(60_000));
    DiskLoop loop = new DiskLoop(scheduler, ms(60_000), its, others, newcomers);
    loop.run(ms(70_000));
    assertEquals(0.2, loop.share(newcomers), 0.05);
    assertEquals(0.2, loop.share(others), 0.05);
  }

  @Test
  void whatALimitWithheldIsNotOwedWhenItIsGone() {
    first.setTerms(new Tenant.Terms(1, 0, 0.2));
    List<Claim> its = streams(first, 2, 0);
    List<Claim> others = streams(second, 2, 0);
    new DiskLoop(scheduler, 0, its, others).run(ms(60_000));
    first.setTerms(Tenant.Terms.NONE);
    DiskLoop loop = new DiskLoop(scheduler, ms(60_000), its, others);
    loop.run(ms(64_000));
    assertEquals(0.5, loop.share(others), 0.06);
  }

  @Test
  void aLimitThatIsRaisedCountsAtOnce() {
    first.setTerms(new Tenant.Terms(1, 0, 0.01));
    Claim claim = stream(first, 0);
    run(List.of(claim), 0, ms(1000));
    assertWaits(claim);
    first.setTerms(new Tenant.Terms(1, 0, 0.5));
    pass(ms(1000), ms(1300));
    assertIn(claim);
  }

  @Test
  void whoWaitsForALimitIsNotStuckAndHoldsNobodyUp() {
    first.setTerms(new Tenant.Terms(1, 0, 0.01));
    Claim sync = be(4, null);
    sync.setSyncs();
    sync.setOwner(new Owner(sync.diskClass(), first));
    scheduler.ask(sync, 0);
    scheduler.done(sync, ms(1000));
    Claim claim = stream(first, ms(1001));
    pass(ms(1001), ms(12_000));
    assertWaits(claim);
    assertFalse(scheduler.isStuck(ms(12_000)));
    Claim read = realtime();
    read.setOwner(new Owner(read.diskClass(), second));
    scheduler.askRealtime(read, !OPENING, ms(12_000));
    for (long now = ms(12_000); now < ms(14_000); now += ms(10)) {
      scheduler.resumed(read, now);
      assertFalse(scheduler.isRealtimePaused(read), "nobody else can use the disk");
    }
    scheduler.realtimeDone(read, ms(14_000));
  }

  @Test
  void aTurnThatEndsLateIsChargedForWhenItHadTheDisk() {
    first.setTerms(new Tenant.Terms(1, 0, 0.1));
    Claim claim = stream(first, 0);
    claim.read(1 << 20);
    scheduler.done(claim, ms(300));
    Claim next = stream(first, ms(60_000));
    assertIn(next);
  }

  /** A turn may have ended long before that is seen: another tenant's real-time had the disk. */
  @Test
  void whatIsKnownLateCountsOnceForTheLimit() {
    first.setTerms(new Tenant.Terms(1, 0, 0.5));
    TenantShare share = new TenantShare(new Share(null, () -> 1), first, () -> true);
    share.used(ms(100), ms(1000));
    share.used(ms(100), ms(10_000));
    share.used(ms(100), ms(2000));
    assertEquals(ms(10_200), share.allowedAt());
  }

  /** In any ten seconds a tenant has no more than its limit and a turn. */
  @Test
  void aLimitHoldsAtAnyTime() {
    first.setTerms(new Tenant.Terms(1, 0, 0.3));
    Claim claim = stream(first, 0);
    long most = ms(300);
    List<Long> used = new ArrayList<>();
    long in = 0;
    for (long now = 0; now < ms(60_000); now += ms(1)) {
      scheduler.poll(now);
      if (claim.isIn()) {
        in += ms(1);
        claim.read(100 << 10);
        claim.resume(now);
        if (!scheduler.mayContinue(claim, now)) {
          scheduler.ask(claim, now);
        }
      }
      used.add(in);
      int before = used.size() - 1 - 10_000;
      if (before >= 0) {
        assertTrue(in - used.get(before) <= ms(3000) + most, "at " + now);
      }
    }
    assertEquals(0.3, in / (double) ms(60_000), 0.02);
  }

  @Test
  void termsChangeAtOnce() {
    List<Claim> its = streams(first, 2, 0);
    List<Claim> others = streams(second, 2, 0);
    DiskLoop before = new DiskLoop(scheduler, 0, its, others);
    before.run(ms(4000));
    assertEquals(0.5, before.share(its), 0.06);
    first.setTerms(new Tenant.Terms(9, 0, 1));
    DiskLoop after = new DiskLoop(scheduler, ms(4000), its, others);
    after.run(ms(8000));
    assertEquals(0.9, after.share(its), 0.05);
  }

  @Test
  void aStreamOfTwoTenantsCountsForTheOneThatHasAskedFirst() {
    Stream stream = new Stream();
    Claim claim = be(4, stream);
    claim.setOwner(new Owner(claim.diskClass(), first));
    Claim other = be(4, stream);
    other.setOwner(new Owner(other.diskClass(), second));
    assertTrue(scheduler.ask(claim, 0));
    scheduler.ask(other, 0);
    scheduler.done(claim, ms(20));
    assertTrue(other.isIn());
    scheduler.done(other, ms(41));
    streamIn(ms(50));
    assertEquals(
        ms(41), counters.of(first).usedNanos(), "what both have used together counts once");
    assertEquals(0, counters.of(second).usedNanos());
    assertFalse(scheduler.isAnyWaiting());
  }

  @Test
  void nobodyIsBlamedForALimit() {
    second.setTerms(new Tenant.Terms(1, 0, 0.5));
    Claim claim = stream(second, 0);
    for (long now = 0; now < ms(600) && claim.isIn(); now += ms(1)) {
      claim.resume(now);
      if (!scheduler.mayContinue(claim, now)) {
        scheduler.ask(claim, now);
      }
    }
    assertWaits(claim);
    pass(ms(600), ms(2000));
    assertIn(claim);
    assertTrue(counters.of(second).waitNanos() > 0);
    assertEquals(Map.of(), counters.of(second).blamedNanos());
  }
}
