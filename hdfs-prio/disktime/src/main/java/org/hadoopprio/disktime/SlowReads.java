// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.disktime;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;

/**
 * The reads that have waited for long for one disk, of which the last ones are remembered. Guarded
 * by the lock.
 */
public final class SlowReads {

  /** How many are remembered. */
  public static final int MOST = 100;

  private final Deque<SlowRead> last = new ArrayDeque<>();
  private long count;

  SlowReads() {}

  void add(SlowRead read) {
    if (last.size() == MOST) {
      last.removeFirst();
    }
    last.addLast(read);
    count++;
  }

  /** How many there were. */
  public long count() {
    return count;
  }

  /** The last ones of them, at most {@link #MOST}, in their order. */
  public List<SlowRead> last() {
    return List.copyOf(last);
  }
}
