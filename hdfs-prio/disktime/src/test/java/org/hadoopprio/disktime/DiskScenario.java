// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.disktime;

import static org.hadoopprio.disktime.Claims.be;
import static org.hadoopprio.disktime.Claims.ms;
import static org.hadoopprio.disktime.Claims.realtime;
import static org.hadoopprio.disktime.Claims.settings;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * A {@link Disk} of one stream at a time with half of the disk for real-time, whose clock is the
 * test: times are given, in milliseconds from 0.
 */
abstract class DiskScenario {

  static final boolean OPENING = true;
  static final long END_OF_TURN = ms(100);

  final List<Claim> granted = new ArrayList<>();
  final AtomicBoolean strangers = new AtomicBoolean();
  final DiskCounters counters = new DiskCounters();
  final Disk scheduler = scheduler(1);

  Disk scheduler(int streams) {
    return new Disk(
        settings(0.5), streams, 0, counters, granted::add, realtimeReads -> strangers.get());
  }

  static void assertIn(Claim claim) {
    assertEquals(Claim.State.IN, claim.state());
  }

  static void assertWaits(Claim claim) {
    assertEquals(Claim.State.WAITING, claim.state());
  }

  /** A read of a new stream that is at the disk from that time on. */
  Claim streamIn(long at) {
    Claim claim = be(4, new Stream());
    assertTrue(scheduler.ask(claim, at));
    return claim;
  }

  Claim streamWaits(long at) {
    Claim claim = be(4, new Stream());
    assertFalse(scheduler.ask(claim, at));
    return claim;
  }

  Claim shortWaits(long at) {
    Claim claim = be(4, null);
    assertFalse(scheduler.ask(claim, at));
    return claim;
  }

  Claim realtimeIn(long at) {
    Claim claim = realtime();
    assertTrue(scheduler.askRealtime(claim, !OPENING, at));
    return claim;
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
      Claim read = realtime();
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
      Claim read = realtime();
      if (!scheduler.askRealtime(read, !OPENING, ms(10) * i)) {
        return true;
      }
      scheduler.realtimeDone(read, ms(10) * (i + 1));
    }
    return false;
  }

  Claim within(long millis, long at) {
    Claim claim = realtime();
    claim.setDeadline(at + ms(millis), 0);
    return claim;
  }

  Claim held(long millis, long at) {
    Claim claim = within(millis, at);
    assertFalse(scheduler.askRealtime(claim, OPENING, at));
    assertWaits(claim);
    return claim;
  }

  /** Lets a read begin when it may, and returns when that is. */
  long begin(Claim read, long from) {
    long now = from;
    while (read.isWaiting()) {
      now += ms(1);
      scheduler.poll(now);
    }
    scheduler.opened(read, now);
    return now;
  }
}
