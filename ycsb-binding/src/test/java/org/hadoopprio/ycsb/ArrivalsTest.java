// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.ycsb;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

class ArrivalsTest {

  private static final int COUNT = 20_000;
  private static final double RATE = 4;
  private static final long START = -5_000;

  private static double[] gapsInSeconds(Arrivals arrivals) {
    double[] gaps = new double[COUNT];
    long last = START;
    for (int i = 0; i < COUNT; i++) {
      long next = arrivals.nextNanos();
      gaps[i] = (next - last) / 1e9;
      last = next;
    }
    return gaps;
  }

  @Test
  void gapsAreExponentialWithTheMeanOfTheRate() {
    double[] gaps = gapsInSeconds(new Arrivals(RATE, 7, 0, START));
    double sum = 0;
    double squares = 0;
    int longerThanMean = 0;
    for (double gap : gaps) {
      assertTrue(gap >= 0, "arrivals go forward");
      sum += gap;
      squares += gap * gap;
      longerThanMean += gap > 1 / RATE ? 1 : 0;
    }
    double mean = sum / COUNT;
    double deviation = Math.sqrt(squares / COUNT - mean * mean);
    assertEquals(1 / RATE, mean, 0.02 / RATE);
    assertEquals(1 / RATE, deviation, 0.05 / RATE);
    assertEquals(Math.exp(-1), (double) longerThanMean / COUNT, 0.01);
  }

  @Test
  void equalSeedsGiveEqualArrivals() {
    assertEquals(
        new Arrivals(RATE, 7, 3, START).nextNanos(), new Arrivals(RATE, 7, 3, START).nextNanos());
  }

  @Test
  void otherSeedsAndThreadsGiveOthers() {
    long one = new Arrivals(RATE, 7, 3, START).nextNanos();
    assertNotEquals(one, new Arrivals(RATE, 8, 3, START).nextNanos());
    assertNotEquals(one, new Arrivals(RATE, 7, 4, START).nextNanos());
  }

  @Test
  void aRateThatIsNoneIsRefused() {
    assertThrows(IllegalArgumentException.class, () -> new Arrivals(0, 1, 0, 0));
  }
}
