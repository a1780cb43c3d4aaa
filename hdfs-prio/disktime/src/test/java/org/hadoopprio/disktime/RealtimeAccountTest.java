// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.disktime;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** Tests the account alone, with given times in milliseconds and a share of one half. */
class RealtimeAccountTest {

  private static final boolean CONTENDED = true;
  private static final boolean BUSY = true;

  private final RealtimeAccount account = new RealtimeAccount(0.5, 0);

  private static long ms(long millis) {
    return TimeUnit.MILLISECONDS.toNanos(millis);
  }

  /** Real-time has the disk until then. */
  private void uses(long from, long to) {
    account.advance(ms(from), 0, CONTENDED);
    account.advance(ms(to), ms(to - from), CONTENDED);
  }

  /** Uses up the burst and a little more: at 220 ms the account is 10 ms short. */
  private void overdraw() {
    uses(0, 220);
    assertTrue(account.isOverdrawn());
  }

  private void close(long at) {
    account.reads.closeIfDue(ms(at), CONTENDED);
    assertTrue(account.reads.isClosed());
  }

  /** Whether the gate is open at that time, after a time in which real-time was not at the disk. */
  private boolean opensIdle(long at) {
    account.advance(ms(at), 0, CONTENDED);
    account.reads.openIfDue(ms(at), !BUSY, CONTENDED);
    return !account.reads.isClosed();
  }

  @Test
  void aBurstIsFree() {
    uses(0, 100);
    account.reads.closeIfDue(ms(100), CONTENDED);
    assertFalse(account.reads.isClosed());
    uses(100, 200);
    assertFalse(account.isOverdrawn(), "100 ms of burst and half of the 200 ms that have passed");
    uses(200, 201);
    assertTrue(account.isOverdrawn());
  }

  @Test
  void aBurstIsTheMostThatAQuietPeriodSaves() {
    account.advance(ms(60_000), 0, CONTENDED);
    uses(60_000, 60_201);
    assertTrue(account.isOverdrawn());
  }

  @Test
  void theShareHolds() {
    long used = 0;
    for (long at = 0; at < 60_000; at++) {
      account.reads.closeIfDue(ms(at), CONTENDED);
      account.reads.openIfDue(ms(at), !BUSY, CONTENDED);
      long uses = account.reads.isClosed() ? 0 : ms(1);
      used += uses;
      account.advance(ms(at + 1), uses, CONTENDED);
    }
    assertEquals(0.5, used / (double) ms(60_000), 0.005);
  }

  @Test
  void itClosesOnlyWhileOthersWait() {
    overdraw();
    account.reads.closeIfDue(ms(220), !CONTENDED);
    assertFalse(account.reads.isClosed());
    close(220);
  }

  @Test
  void itOpensAsSoonAsOthersDoNotWait() {
    overdraw();
    close(220);
    account.reads.openIfDue(ms(221), BUSY, !CONTENDED);
    assertFalse(account.reads.isClosed());
  }

  @Test
  void aPauseLastsUntilTheDebtIsPaidAndOneSeekIsGained() {
    overdraw();
    close(220);
    assertFalse(opensIdle(220));
    // 10 ms of debt and 10 ms of gain, at half a second a second.
    assertEquals(ms(40), account.reads.untilDue(ms(220)));
    assertFalse(opensIdle(259));
    assertEquals(ms(1), account.reads.untilDue(ms(259)));
    assertTrue(opensIdle(260));
  }

  @Test
  void aPauseBeginsAtTheDrainAndNotAtTheClosing() {
    overdraw();
    close(220);
    // Reads that were let in before keep the disk for 900 ms: 450 ms more of debt.
    account.advance(ms(1120), ms(900), CONTENDED);
    account.reads.openIfDue(ms(1120), BUSY, CONTENDED);
    assertTrue(
        account.reads.isClosed(), "longer than the longest pause, but the others had no disk");
    assertFalse(opensIdle(1121));
    // As long as the reads have taken to leave: the share is half, and the others had nothing.
    assertFalse(opensIdle(2021));
    assertTrue(opensIdle(2022));
  }

  @Test
  void whileOthersWaitDebtHasNoFloor() {
    uses(0, 10_000);
    close(10_000);
    assertFalse(opensIdle(10_000));
    assertEquals(RealtimeAccount.MAX_PAUSE_NANOS, account.reads.untilDue(ms(10_000)));
    assertTrue(opensIdle(10_500));
    // 4.9 s of debt are left, so the next pause follows at once.
    close(10_500);
  }

  @Test
  void whileNobodyElseWaitsDebtStaysSmall() {
    account.advance(ms(10_000), ms(10_000), !CONTENDED);
    close(10_000);
    assertFalse(opensIdle(10_000));
    assertEquals(ms(60), account.reads.untilDue(ms(10_000)), "20 ms of debt and 10 ms of gain");
    assertTrue(opensIdle(10_060));
  }

  @Test
  void noPauseIsLongerThanTheLongest() {
    account.setShare(0.001);
    overdraw();
    close(220);
    assertFalse(opensIdle(220));
    assertFalse(opensIdle(719));
    assertTrue(opensIdle(720));
  }

  @Test
  void aReadThatHangsDelaysAPauseByTheLongestDrain() {
    overdraw();
    close(220);
    assertEquals(RealtimeAccount.MAX_DRAIN_NANOS, account.reads.untilDue(ms(220)));
    account.advance(ms(2219), ms(1999), CONTENDED);
    account.reads.openIfDue(ms(2219), BUSY, CONTENDED);
    assertEquals(ms(1), account.reads.untilDue(ms(2219)));
    account.advance(ms(2220), ms(1), CONTENDED);
    account.reads.openIfDue(ms(2220), BUSY, CONTENDED);
    assertEquals(RealtimeAccount.MAX_DRAIN_NANOS, account.reads.untilDue(ms(2220)));
    account.advance(ms(4219), ms(1999), CONTENDED);
    account.reads.openIfDue(ms(4219), BUSY, CONTENDED);
    assertTrue(account.reads.isClosed());
    account.reads.openIfDue(ms(4220), BUSY, CONTENDED);
    assertFalse(account.reads.isClosed());
  }

  @Test
  void aPauseAfterAPauseWaitsForADrainOfItsOwn() {
    overdraw();
    close(220);
    assertFalse(opensIdle(220));
    assertTrue(opensIdle(260));
    uses(260, 360);
    close(360);
    account.advance(ms(400), ms(40), CONTENDED);
    account.reads.openIfDue(ms(400), BUSY, CONTENDED);
    assertEquals(
        RealtimeAccount.MAX_DRAIN_NANOS - ms(40),
        account.reads.untilDue(ms(400)),
        "not drained yet");
  }

  @Test
  void aChangedShareCountsFromThenOn() {
    overdraw();
    close(220);
    assertFalse(opensIdle(220));
    account.setShare(0.25);
    assertEquals(ms(60), account.reads.untilDue(ms(220)), "10 ms of debt and 5 ms of gain");
    account.setShare(1);
    assertTrue(opensIdle(221));
  }

  @Test
  void aShareOfAllNeverCloses() {
    account.setShare(1);
    uses(0, 10_000);
    account.advance(ms(10_000), ms(5_000), CONTENDED);
    account.reads.closeIfDue(ms(10_000), CONTENDED);
    assertFalse(account.reads.isClosed());
    assertFalse(account.isOverdrawn());
  }

  @Test
  void timeThatDoesNotPassCostsNothing() {
    account.advance(0, ms(1_000), CONTENDED);
    account.advance(-1, ms(1_000), CONTENDED);
    assertFalse(account.isOverdrawn());
  }
}
