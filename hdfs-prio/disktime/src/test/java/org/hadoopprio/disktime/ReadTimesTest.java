// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.disktime;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;

import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class ReadTimesTest {

  private static final long MILLI = TimeUnit.MILLISECONDS.toNanos(1);
  private static final long LEFT = 50 * MILLI;
  private static final int SLOW_MILLIS = 400;
  private static final long TRY = ReadTimes.TRY_PART * SLOW_MILLIS * MILLI;

  private final ReadTimes times = new ReadTimes();
  private long now;

  private void reads(int count, long millis) {
    for (int i = 0; i < count; i++) {
      now += millis * MILLI;
      times.add(millis * MILLI, now);
    }
  }

  private long late() {
    return times.lateNanos(Claims.realtime(), LEFT, 0, now);
  }

  @Test
  void oneSlowReadAmongOthersRefusesNone() {
    reads(10, 8);
    reads(1, 120);
    assertEquals(0, late());
  }

  @Test
  void aSlowDiskIsTriedFromTimeToTime() {
    reads(10, SLOW_MILLIS);
    assertEquals(SLOW_MILLIS * MILLI, late());
    now += TRY;
    assertEquals(0, late());
    assertEquals(SLOW_MILLIS * MILLI, late());
  }

  /** A read of many pieces takes longer than a second in all; each would be a try. */
  @Test
  void aClientThatReadsOneAfterTheOtherIsRefused() {
    reads(10, SLOW_MILLIS);
    now += 4 * SLOW_MILLIS * MILLI;
    assertEquals(SLOW_MILLIS * MILLI, late());
  }

  @Test
  void aDiskThatHungIsTriedAgainInTime() {
    reads(1, 3_600_000);
    now += ReadTimes.LAST_TRY_MILLIS * MILLI;
    assertEquals(0, late());
  }

  @Test
  void aDiskThatIsSomewhatTooSlowIsTriedOnceASecond() {
    reads(10, 60);
    assertEquals(60 * MILLI, late());
    now += ReadTimes.TRY_MILLIS * MILLI;
    assertEquals(0, late());
  }

  /** A client whose read tries the disk is to find it in time by the next read, too. */
  @Test
  void aDiskThatHasRecoveredIsReadAgainAfterOneTry() {
    reads(10, SLOW_MILLIS);
    now += TRY;
    assertEquals(0, late());
    reads(1, 8);
    assertEquals(0, late());
  }

  @Test
  void aTryThatIsSlowLeavesTheDiskSlow() {
    reads(10, SLOW_MILLIS);
    now += TRY;
    assertEquals(0, late());
    reads(1, 300);
    assertNotEquals(0, late());
  }
}
