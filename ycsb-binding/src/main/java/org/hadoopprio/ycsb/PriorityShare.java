// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.ycsb;

import java.util.concurrent.ThreadLocalRandom;
import org.hadoopprio.IoPriority;

/**
 * The priority that an operation carries, and the share of operations that carry it.
 *
 * <p>Immutable and thread-safe. The choice is random, so that it is independent of any pattern in
 * the keys.
 */
final class PriorityShare {

  /** No operation carries a priority. */
  static final PriorityShare NOTHING = new PriorityShare(null, 0);

  private final IoPriority priority;
  private final int percent;

  /**
   * A share of operations with a priority.
   *
   * @param priority null for none stated
   * @param percent the percentage of operations that carry it, 0 to 100
   */
  PriorityShare(IoPriority priority, int percent) {
    this.priority = priority;
    this.percent = percent;
  }

  /** The priority of the next operation; null if it carries none. */
  IoPriority draw() {
    if (priority == null || percent == 0) {
      return null;
    }
    return percent == 100 || ThreadLocalRandom.current().nextInt(100) < percent ? priority : null;
  }

  /**
   * Whether some operations carry a priority and others do not, so that their latencies can differ.
   */
  boolean isMixed() {
    return priority != null && !priority.isNone() && percent > 0 && percent < 100;
  }

  @Override
  public String toString() {
    return priority == null ? "nothing" : priority + " on " + percent + " %";
  }
}
