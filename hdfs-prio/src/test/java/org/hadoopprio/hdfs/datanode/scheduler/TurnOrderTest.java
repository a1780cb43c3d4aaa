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
}
