// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.hdfs.datanode.engine;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Random;

/**
 * Chooses the duration limit for each read of a volume: among those with which reads have lately
 * been answered in time, the one that costs others least. The longer a limit, the less it costs;
 * none costs nothing.
 *
 * <p>What a limit is worth is measured, not read off the drive: a guideline is a target that a
 * drive may miss, and under load a shorter one may be the slower. Each limit has its latency, which
 * {@value #QUANTILE_PERCENT} % of its latest {@value #WINDOW} reads did not exceed. Before it was
 * used {@value #LEAST_READS} times, its latency is taken to be the limit itself, and that without a
 * limit to be 0; so what is cheaper is tried first. One read in {@value #EXPLORE} is done with
 * another limit: with a cheaper one to notice that it would do now, with any if none is in time.
 *
 * <p>Thread-safe. Times are in nanoseconds.
 */
final class LimitChoice {

  /** The index that stands for no limit. */
  static final int NO_LIMIT = 0;

  static final int WINDOW = 40;
  static final int QUANTILE_PERCENT = 95;
  static final int LEAST_READS = 8;
  static final int EXPLORE = 50;

  /** The latest reads with one limit. */
  private static final class Arm {
    final int index;
    final long limitNanos;
    private final long[] latest = new long[WINDOW];
    private long reads;
    private long expectedNanos;

    Arm(int index, long limitNanos) {
      this.index = index;
      this.limitNanos = limitNanos;
      this.expectedNanos = index == NO_LIMIT ? 0 : limitNanos;
    }

    void add(long nanos) {
      latest[(int) (reads % WINDOW)] = nanos;
      reads++;
      if (reads >= LEAST_READS) {
        long[] sorted = Arrays.copyOf(latest, (int) Math.min(reads, WINDOW));
        Arrays.sort(sorted);
        expectedNanos = sorted[(sorted.length * QUANTILE_PERCENT + 99) / 100 - 1];
      }
    }
  }

  /** What costs others least comes first. */
  private final List<Arm> arms = new ArrayList<>();

  private final Random random;

  /**
   * Makes a choice among limits, and none.
   *
   * @param seed of the reads that are done with another limit
   */
  LimitChoice(DurationLimits limits, long seed) {
    random = new Random(seed);
    for (int index = 1; index <= DurationLimits.DESCRIPTORS; index++) {
      if (limits.nanos(index) != 0) {
        arms.add(new Arm(index, limits.nanos(index)));
      }
    }
    arms.sort(Comparator.comparingLong((Arm arm) -> arm.limitNanos).reversed());
    arms.add(0, new Arm(NO_LIMIT, Long.MAX_VALUE));
  }

  /**
   * The index of the limit for a read, or {@link #NO_LIMIT}.
   *
   * @param leftNanos what is left until the read should be answered; negative if that is over
   */
  synchronized int choose(long leftNanos) {
    Arm best = arms.get(0);
    for (Arm arm : arms) {
      if (arm.expectedNanos < best.expectedNanos) {
        best = arm;
      }
      if (arm.expectedNanos <= leftNanos) {
        best = arm;
        break;
      }
    }
    if (random.nextInt(EXPLORE) == 0) {
      int cheaper = arms.indexOf(best);
      int others = best.expectedNanos <= leftNanos ? cheaper : arms.size();
      if (others > 0) {
        best = arms.get(random.nextInt(others));
      }
    }
    return best.index;
  }

  /**
   * Notes a read.
   *
   * @param index what {@link #choose} gave for it
   * @param nanos how long it took until it was answered
   */
  synchronized void answered(int index, long nanos) {
    for (Arm arm : arms) {
      if (arm.index == index) {
        arm.add(nanos);
      }
    }
  }
}
