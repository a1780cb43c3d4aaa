// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.hdfs.datanode.scheduler;

import static org.hadoopprio.hdfs.datanode.scheduler.Tickets.be;
import static org.hadoopprio.hdfs.datanode.scheduler.Tickets.limits;
import static org.hadoopprio.hdfs.datanode.scheduler.Tickets.ms;
import static org.hadoopprio.hdfs.datanode.scheduler.Tickets.realtime;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * A {@link VolumeScheduler} of one stream at a time with half of the disk for real-time, whose
 * clock is the test: times are given, in milliseconds from 0.
 */
abstract class SchedulerScenario {

  static final boolean OPENING = true;
  static final long END_OF_TURN = ms(100);

  final List<Ticket> granted = new ArrayList<>();
  final AtomicBoolean strangers = new AtomicBoolean();
  final VolumeCounters counters = new VolumeCounters();
  final VolumeScheduler scheduler = scheduler(1);

  VolumeScheduler scheduler(int streams) {
    return new VolumeScheduler(
        limits(0.5), streams, 0, counters, granted::add, realtimeReads -> strangers.get());
  }

  static void assertIn(Ticket ticket) {
    assertEquals(Ticket.State.IN, ticket.state);
  }

  static void assertWaits(Ticket ticket) {
    assertEquals(Ticket.State.WAITING, ticket.state);
  }

  /** A read of a new stream that is at the disk from that time on. */
  Ticket streamIn(long at) {
    Ticket ticket = be(4, new Stream());
    assertTrue(scheduler.ask(ticket, at));
    return ticket;
  }

  Ticket streamWaits(long at) {
    Ticket ticket = be(4, new Stream());
    assertFalse(scheduler.ask(ticket, at));
    return ticket;
  }

  Ticket shortWaits(long at) {
    Ticket ticket = be(4, null);
    assertFalse(scheduler.ask(ticket, at));
    return ticket;
  }

  Ticket realtimeIn(long at) {
    Ticket ticket = realtime();
    assertTrue(scheduler.askRealtime(ticket, !OPENING, at));
    return ticket;
  }

  /** Polls whenever it is due; nothing else happens. */
  void pass(long from, long to) {
    long now = from;
    while (now < to) {
      now = Math.min(to, now + scheduler.untilDue(now));
      scheduler.poll(now);
    }
  }

  /** A closed-loop real-time reader: reads of 10 ms with 1 ms between. Returns the time after. */
  long thinksForOneMillisecond(int reads, long from) {
    long now = from;
    for (int i = 0; i < reads; i++) {
      Ticket read = realtime();
      scheduler.askRealtime(read, !OPENING, now);
      now += ms(10);
      scheduler.realtimeDone(read, now);
      now += ms(1);
    }
    return now;
  }

  /** Real-time reads of 10 ms, one at a time; whether one had to wait. */
  boolean oneWaits(int reads) {
    for (int i = 0; i < reads; i++) {
      Ticket read = realtime();
      if (!scheduler.askRealtime(read, !OPENING, ms(10) * i)) {
        return true;
      }
      scheduler.realtimeDone(read, ms(10) * (i + 1));
    }
    return false;
  }

  Ticket within(long millis, long at) {
    Ticket ticket = realtime();
    ticket.deadline = at + ms(millis);
    return ticket;
  }

  Ticket held(long millis, long at) {
    Ticket ticket = within(millis, at);
    assertFalse(scheduler.askRealtime(ticket, OPENING, at));
    assertWaits(ticket);
    return ticket;
  }

  /** Lets a read begin when it may, and returns when that is. */
  long begin(Ticket read, long from) {
    long now = from;
    while (read.state == Ticket.State.WAITING) {
      now += ms(1);
      scheduler.poll(now);
    }
    scheduler.opened(read, now);
    return now;
  }
}
