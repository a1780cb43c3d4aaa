// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.hdfs.datanode.engine;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.function.IntToLongFunction;
import org.junit.jupiter.api.Test;

class LimitChoiceTest {

  private static final long SEED = 7;

  private final LimitChoice choice =
      new LimitChoice(DurationLimits.parse("1:20ms 2:100ms 5:50ms"), SEED);
  private final Random random = new Random(SEED);

  private static long ms(double millis) {
    return (long) (millis * 1e6);
  }

  /** How often each index was chosen in so many reads, of which each takes what the drive says. */
  private int[] reads(int count, long leftNanos, IntToLongFunction drive) {
    int[] chosen = new int[DurationLimits.DESCRIPTORS + 1];
    for (int i = 0; i < count; i++) {
      int index = choice.choose(leftNanos);
      chosen[index]++;
      choice.answered(index, drive.applyAsLong(index));
    }
    return chosen;
  }

  /** Up to twice the mean, uniformly. */
  private IntToLongFunction drive(double none, double of1, double of2, double of5) {
    double[] means = {none, of1, of2, 0, 0, of5, 0, 0};
    return index -> ms(random.nextDouble() * 2 * means[index]);
  }

  @Test
  void noLimitIsTakenWhereNoneIsNeeded() {
    assertEquals(1_000, reads(1_000, ms(50), drive(10, 1, 1, 1))[LimitChoice.NO_LIMIT]);
  }

  @Test
  void theLongestLimitThatIsInTimeIsTaken() {
    int[] chosen = reads(2_000, ms(120), drive(200, 10, 45, 20));
    assertTrue(chosen[2] > 1_800, chosen[2] + " of 2000");
    assertEquals(0, chosen[1], "costs others more");
    assertEquals(0, chosen[5]);
  }

  @Test
  void whatALimitIsWorthIsMeasured() {
    // 100 ms is missed, and 50 ms is slower than 20 ms.
    int[] chosen = reads(2_000, ms(60), drive(200, 20, 150, 80));
    assertTrue(chosen[1] > 1_800, chosen[1] + " of 2000");
    // The shortest may be the worst.
    chosen = reads(4_000, ms(60), drive(200, 120, 150, 20));
    assertTrue(chosen[5] > 3_000, chosen[5] + " of 4000");
  }

  @Test
  void othersAreTriedWithASmallShare() {
    IntToLongFunction drive = drive(200, 10, 150, 80);
    reads(500, ms(60), drive);
    int count = 10_000;
    int[] chosen = reads(count, ms(60), drive);
    int others = count - chosen[1];
    assertTrue(others > count / LimitChoice.EXPLORE / 3, others + " of " + count);
    assertTrue(others < 2 * count / LimitChoice.EXPLORE, others + " of " + count);
  }

  @Test
  void aLighterLoadIsNoticed() {
    reads(1_000, ms(60), drive(200, 10, 150, 80));
    int[] chosen = reads(20_000, ms(60), drive(10, 10, 10, 10));
    assertTrue(chosen[LimitChoice.NO_LIMIT] > 10_000, chosen[LimitChoice.NO_LIMIT] + " of 20000");
  }

  @Test
  void ifNoneIsInTimeTheFastestIsTaken() {
    int[] chosen = reads(2_000, ms(5), drive(200, 30, 150, 80));
    assertTrue(chosen[1] > 1_800, chosen[1] + " of 2000");
    chosen = reads(2_000, -TimeUnit.SECONDS.toNanos(1), drive(200, 30, 150, 80));
    assertTrue(chosen[1] > 1_800, chosen[1] + " of 2000");
  }

  @Test
  void eachTargetHasItsOwnChoice() {
    IntToLongFunction drive = drive(200, 10, 45, 20);
    reads(1_000, ms(120), drive);
    reads(1_000, ms(30), drive);
    int[] loose = reads(500, ms(120), drive);
    int[] tight = reads(500, ms(30), drive);
    assertTrue(loose[2] > 400, loose[2] + " of 500");
    assertTrue(tight[1] > 400, tight[1] + " of 500");
  }

  @Test
  void itIsTheSameEachTime() {
    IntToLongFunction drive = index -> ms(index == 1 ? 10 : 200);
    int[] first = reads(1_000, ms(60), drive);
    LimitChoice again = new LimitChoice(DurationLimits.parse("1:20ms 2:100ms 5:50ms"), SEED);
    int[] second = new int[first.length];
    for (int i = 0; i < 1_000; i++) {
      int index = again.choose(ms(60));
      second[index]++;
      again.answered(index, drive.applyAsLong(index));
    }
    assertArrayEquals(first, second);
  }

  @Test
  void withoutLimitsThereIsNoChoice() {
    LimitChoice none = new LimitChoice(DurationLimits.OFF, SEED);
    for (int i = 0; i < 1_000; i++) {
      assertEquals(LimitChoice.NO_LIMIT, none.choose(ms(1)));
      none.answered(LimitChoice.NO_LIMIT, ms(100));
    }
  }
}
