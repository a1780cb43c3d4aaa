// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.disktime;

import static org.hadoopprio.disktime.Claims.be;
import static org.hadoopprio.disktime.Claims.ms;
import static org.hadoopprio.disktime.Claims.realtime;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;

/** What an owner must not do fails, and leaves the disk as it was. */
class MisuseTest extends DiskScenario {

  private static void assertFails(Executable misuse) {
    assertThrows(IllegalStateException.class, misuse);
  }

  @Test
  void whoWaitsDoesNotAskAgain() {
    Claim holder = streamIn(0);
    Claim waits = streamWaits(0);
    assertFails(() -> scheduler.ask(waits, ms(1)));
    assertEquals(1, scheduler.waiting());
    scheduler.done(holder, ms(1));
    pass(ms(1), ms(5));
    assertIn(waits);
  }

  @Test
  void whoWaitsForRealtimeDoesNotAskAgain() {
    streamIn(0);
    Claim held = held(100, 0);
    assertFails(() -> scheduler.askRealtime(held, OPENING, ms(1)));
    assertEquals(1, scheduler.waiting());
  }

  @Test
  void whoWaitsIsNotDone() {
    streamIn(0);
    Claim waits = streamWaits(0);
    Claim held = held(100, 0);
    assertFails(() -> scheduler.done(waits, ms(1)));
    assertFails(() -> scheduler.realtimeDone(held, ms(1)));
    assertEquals(2, scheduler.waiting());
  }

  @Test
  void whoWaitsDoesNotResume() {
    streamIn(0);
    Claim held = held(100, 0);
    assertFails(() -> scheduler.resumed(held, ms(1)));
  }

  @Test
  void whoIsNotAtTheDiskDoesNothingThere() {
    Claim out = realtime();
    assertFails(() -> scheduler.opened(out, 0));
    assertFails(() -> scheduler.paused(out, 0));
    assertFails(() -> scheduler.sends(out, 0));
    streamIn(0);
    assertTrue(scheduler.untilDue(0) > 0);
  }

  @Test
  void realtimeHasNoTurns() {
    assertFails(() -> scheduler.ask(realtime(), 0));
    assertFails(() -> scheduler.done(realtime(), 0));
    assertFails(() -> scheduler.opensFiles(realtime(), 0));
    assertFails(() -> scheduler.askRealtime(be(4, null), OPENING, 0));
    assertFails(() -> scheduler.realtimeDone(be(4, null), 0));
    assertEquals(0, scheduler.waiting());
  }

  @Test
  void aStreamOpensItsFilesOnceAndBeforeItAsks() {
    Claim opens = be(4, new Stream());
    scheduler.opensFiles(opens, 0);
    assertFails(() -> scheduler.opensFiles(opens, ms(1)));
    scheduler.filesOpened(opens, ms(1));
    assertTrue(scheduler.ask(opens, ms(1)));
    assertFails(() -> scheduler.opensFiles(opens, ms(2)));
  }

  @Test
  void whatIsAskedForStandsWhileItWaits() {
    streamIn(0);
    Claim waits = be(4, null);
    waits.setDeadline(ms(500), 0);
    scheduler.ask(waits, 0);
    assertFails(() -> waits.setDeadline(ms(50), 0));
    assertFails(waits::clearDeadline);
    assertFails(() -> waits.setContinues(true));
    assertFails(() -> waits.setParts(2));
    assertFails(waits::setWrites);
    assertFails(waits::setSyncs);
    assertFails(() -> waits.setStreams(2));
    assertFails(() -> waits.setPlace(1));
    scheduler.withdraw(waits, ms(1));
    waits.setDeadline(ms(50), 0);
  }
}
