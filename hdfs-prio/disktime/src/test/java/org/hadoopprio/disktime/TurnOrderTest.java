// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.disktime;

import static org.hadoopprio.disktime.Claims.be;
import static org.hadoopprio.disktime.Claims.idle;
import static org.hadoopprio.disktime.Claims.ms;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Which stream has the next turn. */
class TurnOrderTest extends DiskScenario {

  @Test
  void amongEqualStreamsEachHasATurnInEachRound() {
    List<Claim> streams = streams(16, 4);
    granted.clear();
    DiskLoop loop = new DiskLoop(scheduler, 0, streams);
    loop.run(ms(60_000));
    List<Claim> turns = loop.turns();
    assertTrue(turns.size() > 160, "turns " + turns.size());
    for (int i = 0; i + 16 <= turns.size(); i++) {
      assertEquals(16, turns.subList(i, i + 16).stream().distinct().count(), "from turn " + i);
    }
    long turn = ms(1000) / 16 + DiskLoop.PIECE_NANOS;
    assertTrue(loop.longestWait() <= 17 * turn, loop.longestWait() / ms(1) + " ms");
  }

  private List<Claim> streams(int count, int level) {
    List<Claim> streams = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      Claim claim = be(level, new Stream());
      scheduler.ask(claim, 0);
      streams.add(claim);
    }
    return streams;
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 4})
  void levelsHaveDiskTimeByTheirWeights(int ofEach) {
    List<Claim> urgent = streams(ofEach, 0);
    List<Claim> patient = streams(ofEach, 7);
    DiskLoop loop = new DiskLoop(scheduler, 0, urgent, patient);
    loop.run(ms(120_000));
    assertEquals(8.0, loop.share(urgent) / loop.share(patient), 0.8);
    assertEquals(1.0, loop.share(urgent) + loop.share(patient), 0.001, "work-conserving");
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 4})
  void idleHasItsShareBesideBestEffort(int ofEach) {
    scheduler.setSettings(new DiskSettings(0.5, 16 << 20, ms(100), 0.2), 0);
    List<Claim> normal = streams(ofEach, 4);
    List<Claim> idle = new ArrayList<>();
    for (int i = 0; i < ofEach; i++) {
      Claim claim = idle(new Stream());
      scheduler.ask(claim, 0);
      idle.add(claim);
    }
    DiskLoop loop = new DiskLoop(scheduler, 0, normal, idle);
    loop.run(ms(120_000));
    assertEquals(0.2, loop.share(idle), 0.02);
    assertEquals(0.8, loop.share(normal), 0.02);
  }

  @Test
  void idleAloneHasTheDisk() {
    Claim first = idle(new Stream());
    Claim second = idle(new Stream());
    scheduler.ask(first, 0);
    scheduler.ask(second, 0);
    DiskLoop loop = new DiskLoop(scheduler, 0, List.of(first, second));
    loop.run(ms(10_000));
    assertEquals(0.5, loop.share(first), 0.02);
    assertEquals(0.5, loop.share(second), 0.02);
  }

  @Test
  void whatHasWaitedTenSecondsGoesNextWhateverItsClass() {
    scheduler.setSettings(new DiskSettings(0.5, 16 << 20, ms(100), 0.001), 0);
    List<Claim> normal = streams(16, 4);
    Claim idle = idle(new Stream());
    scheduler.ask(idle, 0);
    DiskLoop loop = new DiskLoop(scheduler, 0, normal, List.of(idle));
    loop.run(ms(60_000));
    assertTrue(loop.longestWait() < ms(11_000), loop.longestWait() / ms(1) + " ms");
    assertTrue(loop.share(idle) > 0);
  }

  @Test
  void aLevelOfLittleWeightGoesNextAfterTenSeconds() {
    scheduler.setSettings(new DiskSettings(0.5, 16 << 20, ms(100), 0.05), 0);
    List<Claim> urgent = new ArrayList<>();
    for (int i = 0; i < 4; i++) {
      Claim claim = new Claim(DiskClass.BEST_EFFORT, 1000, new Stream());
      scheduler.ask(claim, 0);
      urgent.add(claim);
    }
    Claim patient = new Claim(DiskClass.BEST_EFFORT, 1, new Stream());
    scheduler.ask(patient, 0);
    DiskLoop loop = new DiskLoop(scheduler, 0, urgent, List.of(patient));
    loop.run(ms(60_000));
    assertTrue(loop.longestWait() < ms(11_000), loop.longestWait() / ms(1) + " ms");
  }

  @Test
  void oldIdleStreamsHaveAboutTwiceTheirShareAtMost() {
    List<Claim> normal = streams(4, 4);
    List<Claim> idle = new ArrayList<>();
    for (int i = 0; i < 512; i++) {
      Claim claim = idle(new Stream());
      scheduler.ask(claim, 0);
      idle.add(claim);
    }
    DiskLoop loop = new DiskLoop(scheduler, 0, normal, idle);
    loop.run(ms(120_000));
    assertTrue(loop.share(idle) < 0.11, "share " + loop.share(idle));
    assertTrue(loop.share(idle) > 0.08, "share " + loop.share(idle));
    assertEquals(1.0, loop.share(idle) + loop.share(normal), 0.001, "work-conserving");
  }

  @ParameterizedTest
  @ValueSource(ints = {16, 64})
  void manyIdleStreamsBesideSixteenDoNotWaitTooLong(int count) {
    List<Claim> normal = streams(16, 4);
    List<Claim> idle = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      Claim claim = idle(new Stream());
      scheduler.ask(claim, 0);
      idle.add(claim);
    }
    DiskLoop loop = new DiskLoop(scheduler, 0, normal, idle);
    loop.run(ms(60_000));
    assertTrue(loop.longestWait() < ms(20_000), loop.longestWait() / ms(1) + " ms");
  }

  /** Cheap ones, for which the disk is kept: each 3 ms another one, of 0.3 ms. */
  @ParameterizedTest
  @ValueSource(ints = {1, 16})
  void idleHasItsShareBesideShortReadsThatHardlyUseTheDisk(int streams) {
    List<Claim> idle = new ArrayList<>();
    for (int i = 0; i < streams; i++) {
      idle.add(idle(new Stream()));
    }
    Claim shortRead = be(4, null);
    assertTrue(scheduler.ask(shortRead, 0));
    idle.forEach(each -> scheduler.ask(each, 0));
    long step = ms(1) / 10;
    long usesSince = 0;
    long thinksSince = 0;
    long idleNanos = 0;
    long end = ms(60_000);
    for (long now = 0; now < end; now += step) {
      scheduler.poll(now);
      if (shortRead.isIn() && now - usesSince >= 3 * step) {
        scheduler.done(shortRead, now);
        thinksSince = now;
      } else if (shortRead.isOut() && now - thinksSince >= ms(3)) {
        scheduler.ask(shortRead, now);
      }
      usesSince = shortRead.isIn() ? usesSince : now;
      for (Claim each : idle) {
        if (each.isIn()) {
          idleNanos += step;
          each.read(10_000);
          each.resume(now);
          if (!scheduler.mayContinue(each, now)) {
            scheduler.ask(each, now);
          }
        }
      }
    }
    double share = idleNanos / (double) end;
    assertEquals(DiskSettings.DEFAULT.idleShare(), share, 0.02);
  }

  /** Two spindles: idle has one of them at a time at most, as long as short reads wait. */
  @Test
  void idleThatIsDueTakesOneSpindle() {
    Disk two = scheduler(2);
    List<Claim> shorts = new ArrayList<>();
    for (int i = 0; i < 2 * ShortDepth.MOST; i++) {
      Claim each = be(4, null);
      two.ask(each, 0);
      shorts.add(each);
    }
    List<Claim> idle = List.of(idle(new Stream()), idle(new Stream()));
    idle.forEach(each -> two.ask(each, 0));
    for (long now = ms(1); now < ms(10_000); now += ms(1)) {
      two.poll(now);
      long idleIn = idle.stream().filter(each -> each.isIn()).count();
      assertTrue(idleIn <= 1, "at " + now / ms(1) + " ms");
      for (Claim each : shorts) {
        if (each.isIn() && now - each.use.enteredAt() >= ms(5)) {
          two.done(each, now);
          two.ask(each, now);
        }
      }
      for (Claim each : idle) {
        if (each.isIn() && !two.mayContinue(each, now)) {
          two.ask(each, now);
        }
      }
    }
  }
}
