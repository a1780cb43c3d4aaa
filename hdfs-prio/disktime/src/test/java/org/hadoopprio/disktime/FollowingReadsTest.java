// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.disktime;

import static org.hadoopprio.disktime.Claims.ms;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Locale;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What reads cost a stream that others are said to follow, and whether they are in time. */
class FollowingReadsTest {

  private static final int ENDLESS = 10_000;
  private static final long SECONDS = 60;

  /** Two reads of 10 ms in 100 ms, and the credit at the begin. */
  private static final double LEAST_SHARE = 0.79;

  private static ChainReaders run(
      int readers, int chain, long millis, long followersMillis, long gapMillis, long pauseMillis) {
    return new ChainReaders(
            readers, chain, ms(millis), ms(followersMillis), ms(gapMillis), ms(pauseMillis))
        .run(ms(SECONDS * 1_000));
  }

  /** Those that say of each first read that thousands follow, and count them down. */
  private static ChainReaders countingDown(
      int readers, long millis, long followersMillis, long gapMillis) {
    return run(readers, ENDLESS, millis, followersMillis, gapMillis, 0);
  }

  /** They come too slowly to keep the disk for them. */
  @ParameterizedTest
  @CsvSource({
    "1, 100, 100", "1, 1000, 1000", "1, 60000, 60000", "1, 60000, 100",
    "8, 100, 100", "8, 1000, 1000", "8, 60000, 60000", "8, 60000, 100"
  })
  void whoeverCountsDownInterruptsStreamsTwiceInTheTimeOfATargetAtMost(
      int readers, long millis, long followersMillis) {
    double heldNanos = Math.min(ms(followersMillis), HeldReads.MAX_HOLD_NANOS);
    double most = (2 * ms(SECONDS * 1_000) + EarlyBegins.CREDIT_NANOS) / heldNanos + 1;
    for (long gap : new long[] {10, 15, 25, 40, 60, 90}) {
      int times = countingDown(readers, millis, followersMillis, gap).interruptions();
      assertTrue(
          times <= most,
          String.format(
              Locale.ROOT, "%d times, more than %.0f, with gaps of %d ms", times, most, gap));
    }
  }

  @ParameterizedTest
  @CsvSource({"100, 100", "1000, 1000", "60000, 60000", "60000, 100"})
  void eightThatCountDownLeaveAStreamFourFifthsOfTheDisk(long millis, long followersMillis) {
    for (long gap : new long[] {10, 15, 25, 40, 60, 90}) {
      double share = countingDown(8, millis, followersMillis, gap).streamShare();
      assertTrue(share > LEAST_SHARE, share + " with gaps of " + gap + " ms");
    }
  }

  /** Their gaps are known, however long they are. */
  @ParameterizedTest
  @ValueSource(longs = {40, 60, 90})
  void theDiskIsNotKeptInVain(long gapMillis) {
    double share = countingDown(1, 100, 100, gapMillis).streamShare();
    assertTrue(share > LEAST_SHARE, "a stream has " + share);
  }

  /** One call after the other, without a pause; nobody needs more. */
  @ParameterizedTest
  @CsvSource({
    "1, 0", "1, 2", "1, 4", "1, 6", "1, 8",
    "3, 0", "3, 2", "3, 4", "3, 6", "3, 8"
  })
  void theReadsOfACallInterruptStreamsOnceAndAreInTime(int readers, long gapMillis) {
    ChainReaders reads = run(readers, 8, 200, 0, gapMillis, 0);
    assertEquals(0, reads.late());
    assertTrue(reads.interruptions() <= reads.chains() + readers, reads.interruptions() + " times");
  }

  /** Of whom none says anything that is not so. */
  @ParameterizedTest
  @CsvSource({"1, 4", "1, 6", "2, 6", "4, 0", "4, 4", "4, 6", "8, 2", "8, 6"})
  void readsOfOthersDoNotTakeThePlaceOfThoseThatFollow(int others, long gapMillis) {
    ChainReaders reads =
        new ChainReaders(1, 8, ms(200), 0, ms(gapMillis), ms(200))
            .beside(others, ms(100), ms(3))
            .run(ms(SECONDS * 1_000));
    assertTrue(reads.late() <= reads.chains() / 10, reads.late() + " of " + reads.chains());
  }

  /** The disk is not kept for them, but there is a credit. */
  @ParameterizedTest
  @CsvSource({"3, 100, 100", "8, 200, 1000"})
  void theReadsOfASlowerClientAreInTimeIfItsCallsAreNotMany(
      int chain, long millis, long pauseMillis) {
    ChainReaders reads = run(1, chain, millis, 0, 12, pauseMillis);
    assertTrue(reads.late() <= reads.chains() / 10, reads.late() + " of " + reads.chains());
  }
}
