package org.hadoopprio.hdfs.datanode.scheduler;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;

import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class ReadTimesTest {

  private static final long MILLI = TimeUnit.MILLISECONDS.toNanos(1);
  private static final long LEFT = 50 * MILLI;
  private static final long TRY = ReadTimes.TRY_MILLIS * MILLI;

  private final ReadTimes times = new ReadTimes();
  private long now;

  private void reads(int count, long millis) {
    for (int i = 0; i < count; i++) {
      now += millis * MILLI;
      times.add(millis * MILLI, now);
    }
  }

  private long late() {
    return times.lateNanos(LEFT, 0, now);
  }

  @Test
  void oneSlowReadAmongOthersRefusesNone() {
    reads(10, 8);
    reads(1, 120);
    assertEquals(0, late());
  }

  @Test
  void aSlowDiskIsTriedOnceASecond() {
    reads(10, 400);
    assertEquals(400 * MILLI, late());
    now += TRY;
    assertEquals(0, late());
    assertEquals(400 * MILLI, late());
  }

  /** A client whose read tries the disk is to find it in time by the next read, too. */
  @Test
  void aDiskThatHasRecoveredIsReadAgainAfterOneTry() {
    reads(10, 400);
    now += TRY;
    assertEquals(0, late());
    reads(1, 8);
    assertEquals(0, late());
  }

  @Test
  void aTryThatIsSlowLeavesTheDiskSlow() {
    reads(10, 400);
    now += TRY;
    assertEquals(0, late());
    reads(1, 300);
    assertNotEquals(0, late());
  }
}
