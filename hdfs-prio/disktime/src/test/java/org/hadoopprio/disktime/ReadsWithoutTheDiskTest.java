// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.disktime;

import static org.hadoopprio.disktime.Claims.ms;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

/**
 * Real-time reads that come to the queue and find their data in the page cache. What is known of
 * the disk stays as it was, however many they are.
 */
class ReadsWithoutTheDiskTest {

  private static final long TARGET = ms(100);
  private static final long SLOW = ms(400);

  private final Disk scheduler =
      new Disk(Claims.settings(1), 1, 0, new DiskCounters(), granted -> {}, busy -> false);

  /** Has the disk when nobody else has; null if there is none. */
  private Claim stream;

  private long now;

  private Claim targeted() {
    Claim read = Claims.realtime();
    read.setDeadline(now + TARGET, 0);
    return read;
  }

  /** Opens its files as soon as it may. */
  private Claim opening() {
    Claim read = targeted();
    scheduler.askRealtime(read, true, now);
    while (read.isWaiting()) {
      now += ms(1);
      scheduler.poll(now);
      if (!scheduler.mayContinue(stream, now)) {
        scheduler.ask(stream, now);
      }
    }
    return read;
  }

  private void findCached() {
    Claim read = opening();
    scheduler.paused(read, now);
    scheduler.realtimeDone(read, now);
  }

  private void readFor(long nanos) {
    Claim read = opening();
    scheduler.opened(read, now);
    now += nanos;
    scheduler.realtimeDone(read, now);
  }

  private long lateNanos() {
    return scheduler.lateNanos(targeted(), now);
  }

  /** They have to begin as early as before. */
  @Test
  void theyDoNotShowHowLongReadsTake() {
    stream = Claims.be(4, new Stream());
    scheduler.ask(stream, now);
    for (int i = 0; i < 20; i++) {
      readFor(ms(12));
    }
    for (int i = 0; i < 100; i++) {
      findCached();
    }
    now += ms(50);
    Claim read = opening();
    long left = read.demand.deadline - now;
    assertTrue(left >= ms(12), left + " ns are left for a read of 12 ms");
  }

  @Test
  void theyAreNoTryOfASlowDisk() {
    readFor(SLOW);
    now += ReadTimes.TRY_PART * SLOW;
    assertEquals(0, lateNanos(), "it is tried");
    assertNotEquals(0, lateNanos(), "not twice");

    now += ReadTimes.TRY_PART * SLOW;
    Claim trying = targeted();
    assertEquals(0, scheduler.lateNanos(trying, now));
    scheduler.askRealtime(trying, true, now);
    scheduler.realtimeDone(trying, now);
    Claim next = targeted();
    assertEquals(0, scheduler.lateNanos(next, now), "the next one tries");
    scheduler.askRealtime(next, true, now);
    scheduler.opened(next, now);
    assertNotEquals(0, lateNanos(), "while it is at the disk");
    now += ms(8);
    scheduler.realtimeDone(next, now);
    assertEquals(0, lateNanos(), "the disk has recovered");
  }
}
