package org.hadoopprio.ycsb;

import java.util.concurrent.ThreadLocalRandom;
import org.hadoopprio.IoPriority;

/**
 * Which priority an operation carries and how often.
 *
 * <p>Immutable and thread-safe. The draws are random, not alternating, so that the share is
 * independent of any pattern in the keys.
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
   * @param percent how many of 100 operations carry it, 0 to 100
   */
  PriorityShare(IoPriority priority, int percent) {
    this.priority = priority;
    this.percent = percent;
  }

  /** The priority of the next operation; null when it carries none. */
  IoPriority draw() {
    if (priority == null || percent == 0) {
      return null;
    }
    return percent == 100 || ThreadLocalRandom.current().nextInt(100) < percent ? priority : null;
  }

  /** Whether some operations carry a priority and others do not, so their latencies differ. */
  boolean isMixed() {
    return priority != null && !priority.isNone() && percent > 0 && percent < 100;
  }

  @Override
  public String toString() {
    return priority == null ? "nothing" : priority + " on " + percent + " %";
  }
}
