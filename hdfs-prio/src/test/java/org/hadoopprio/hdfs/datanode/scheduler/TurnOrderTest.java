// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.hdfs.datanode.scheduler;

import static org.hadoopprio.hdfs.datanode.scheduler.Tickets.be;
import static org.hadoopprio.hdfs.datanode.scheduler.Tickets.idle;
import static org.hadoopprio.hdfs.datanode.scheduler.Tickets.ms;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import org.hadoopprio.IoPriority;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Which stream has the next turn. */
class TurnOrderTest extends SchedulerScenario {

  @Test
  void amongEqualStreamsEachHasATurnInEachRound() {
    List<Ticket> streams = streams(16, 4);
    granted.clear();
    DiskLoop loop = new DiskLoop(scheduler, 0, streams);
    loop.run(ms(60_000));
    List<Ticket> turns = loop.turns();
    assertTrue(turns.size() > 160, "turns " + turns.size());
    for (int i = 0; i + 16 <= turns.size(); i++) {
      assertEquals(16, turns.subList(i, i + 16).stream().distinct().count(), "from turn " + i);
    }
    long turn = ms(1000) / 16 + DiskLoop.PIECE_NANOS;
    assertTrue(loop.longestWait() <= 17 * turn, loop.longestWait() / ms(1) + " ms");
  }

  private List<Ticket> streams(int count, int level) {
    List<Ticket> streams = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      Ticket ticket = be(level, new Stream());
      scheduler.ask(ticket, 0);
      streams.add(ticket);
    }
    return streams;
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 4})
  void levelsHaveDiskTimeByTheirWeights(int ofEach) {
    List<Ticket> urgent = streams(ofEach, 0);
    List<Ticket> patient = streams(ofEach, 7);
    DiskLoop loop = new DiskLoop(scheduler, 0, urgent, patient);
    loop.run(ms(120_000));
    assertEquals(8.0, loop.share(urgent) / loop.share(patient), 0.8);
    assertEquals(1.0, loop.share(urgent) + loop.share(patient), 0.001, "work-conserving");
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 4})
  void idleHasItsShareBesideBestEffort(int ofEach) {
    scheduler.setLimits(new SchedulerLimits(0.5, 16 << 20, 100, Tickets.WEIGHTS, 0.2), 0);
    List<Ticket> normal = streams(ofEach, 4);
    List<Ticket> idle = new ArrayList<>();
    for (int i = 0; i < ofEach; i++) {
      Ticket ticket = idle(new Stream());
      scheduler.ask(ticket, 0);
      idle.add(ticket);
    }
    DiskLoop loop = new DiskLoop(scheduler, 0, normal, idle);
    loop.run(ms(120_000));
    assertEquals(0.2, loop.share(idle), 0.02);
    assertEquals(0.8, loop.share(normal), 0.02);
  }

  @Test
  void idleAloneHasTheDisk() {
    Ticket first = idle(new Stream());
    Ticket second = idle(new Stream());
    scheduler.ask(first, 0);
    scheduler.ask(second, 0);
    DiskLoop loop = new DiskLoop(scheduler, 0, List.of(first, second));
    loop.run(ms(10_000));
    assertEquals(0.5, loop.share(first), 0.02);
    assertEquals(0.5, loop.share(second), 0.02);
  }

  @Test
  void whatHasWaitedTenSecondsGoesNextWhateverItsClass() {
    scheduler.setLimits(new SchedulerLimits(0.5, 16 << 20, 100, Tickets.WEIGHTS, 0.001), 0);
    List<Ticket> normal = streams(16, 4);
    Ticket idle = idle(new Stream());
    scheduler.ask(idle, 0);
    DiskLoop loop = new DiskLoop(scheduler, 0, normal, List.of(idle));
    loop.run(ms(60_000));
    assertTrue(loop.longestWait() < ms(11_000), loop.longestWait() / ms(1) + " ms");
    assertTrue(loop.share(idle) > 0);
  }

  @Test
  void aLevelOfLittleWeightGoesNextAfterTenSeconds() {
    LevelWeights extreme = LevelWeights.parse("1000,1,1,1,1,1,1,1");
    scheduler.setLimits(new SchedulerLimits(0.5, 16 << 20, 100, extreme, 0.05), 0);
    List<Ticket> urgent = new ArrayList<>();
    for (int i = 0; i < 4; i++) {
      Ticket ticket = Tickets.of(IoPriority.bestEffort(0), extreme, new Stream());
      scheduler.ask(ticket, 0);
      urgent.add(ticket);
    }
    Ticket patient = Tickets.of(IoPriority.bestEffort(7), extreme, new Stream());
    scheduler.ask(patient, 0);
    DiskLoop loop = new DiskLoop(scheduler, 0, urgent, List.of(patient));
    loop.run(ms(60_000));
    assertTrue(loop.longestWait() < ms(11_000), loop.longestWait() / ms(1) + " ms");
  }

  @Test
  void oldIdleStreamsHaveAboutTwiceTheirShareAtMost() {
    List<Ticket> normal = streams(4, 4);
    List<Ticket> idle = new ArrayList<>();
    for (int i = 0; i < 512; i++) {
      Ticket ticket = idle(new Stream());
      scheduler.ask(ticket, 0);
      idle.add(ticket);
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
    List<Ticket> normal = streams(16, 4);
    List<Ticket> idle = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      Ticket ticket = idle(new Stream());
      scheduler.ask(ticket, 0);
      idle.add(ticket);
    }
    DiskLoop loop = new DiskLoop(scheduler, 0, normal, idle);
    loop.run(ms(60_000));
    assertTrue(loop.longestWait() < VolumeQueue.MAX_WAIT_NANOS, loop.longestWait() / ms(1) + " ms");
  }

  /** Cheap ones, for which the disk is kept: each 3 ms another one, of 0.3 ms. */
  @ParameterizedTest
  @ValueSource(ints = {1, 16})
  void idleHasItsShareBesideShortReadsThatHardlyUseTheDisk(int streams) {
    List<Ticket> idle = new ArrayList<>();
    for (int i = 0; i < streams; i++) {
      idle.add(idle(new Stream()));
    }
    Ticket shortRead = be(4, null);
    assertTrue(scheduler.ask(shortRead, 0));
    idle.forEach(each -> scheduler.ask(each, 0));
    long step = ms(1) / 10;
    long usesSince = 0;
    long thinksSince = 0;
    long idleNanos = 0;
    long end = ms(60_000);
    for (long now = 0; now < end; now += step) {
      scheduler.poll(now);
      if (shortRead.state == Ticket.State.IN && now - usesSince >= 3 * step) {
        scheduler.done(shortRead, now);
        thinksSince = now;
      } else if (shortRead.state == Ticket.State.OUT && now - thinksSince >= ms(3)) {
        scheduler.ask(shortRead, now);
      }
      usesSince = shortRead.state == Ticket.State.IN ? usesSince : now;
      for (Ticket each : idle) {
        if (each.state == Ticket.State.IN) {
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
    assertEquals(SchedulerKeys.IDLE_SHARE.defaultValue(), share, 0.02);
  }

  /** Two spindles: idle has one of them at a time at most, as long as short reads wait. */
  @Test
  void idleThatIsDueTakesOneSpindle() {
    VolumeScheduler two = scheduler(2);
    List<Ticket> shorts = new ArrayList<>();
    for (int i = 0; i < 2 * Turns.SHORT_DEPTH; i++) {
      Ticket each = be(4, null);
      two.ask(each, 0);
      shorts.add(each);
    }
    List<Ticket> idle = List.of(idle(new Stream()), idle(new Stream()));
    idle.forEach(each -> two.ask(each, 0));
    for (long now = ms(1); now < ms(10_000); now += ms(1)) {
      two.poll(now);
      long idleIn = idle.stream().filter(each -> each.state == Ticket.State.IN).count();
      assertTrue(idleIn <= 1, "at " + now / ms(1) + " ms");
      for (Ticket each : shorts) {
        if (each.state == Ticket.State.IN && now - each.enteredAt >= ms(5)) {
          two.done(each, now);
          two.ask(each, now);
        }
      }
      for (Ticket each : idle) {
        if (each.state == Ticket.State.IN && !two.mayContinue(each, now)) {
          two.ask(each, now);
        }
      }
    }
  }
}
