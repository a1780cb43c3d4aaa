// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.lab.it;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.hadoopprio.tools.trace.BlockTraceEvent;

/**
 * Whose requests a drive worked at, as the kernel's block trace shows it: at one of them from its
 * issue, or the completion before if that is later, to its completion. Thread-safe.
 */
final class TracedHolds {

  /** A request that was completed. */
  private static final class Work {
    private final String priority;
    private final long from;
    private final long to;

    Work(String priority, long from, long to) {
      this.priority = priority;
      this.from = from;
      this.to = to;
    }
  }

  private final Map<Long, Long> issued = new HashMap<>();
  private final List<Work> done = new ArrayList<>();
  private long completedAt;

  /** The next event. */
  synchronized void add(BlockTraceEvent event) {
    long at = (long) (event.seconds() * 1e9);
    if (!event.isCompletion()) {
      issued.put(event.sector(), at);
      return;
    }
    Long from = issued.remove(event.sector());
    if (from != null) {
      done.add(new Work(event.priority().orElse("?"), Math.max(from, completedAt), at));
    }
    completedAt = at;
  }

  /** Adds up the work at each priority between two times of {@link System#nanoTime}, in nanos. */
  synchronized Map<String, Long> between(long from, long to) {
    Map<String, Long> all = new HashMap<>();
    for (Work each : done) {
      long begin = Math.max(from, each.from);
      long end = Math.min(to, each.to);
      if (begin < end) {
        all.merge(each.priority, end - begin, Long::sum);
      }
    }
    return all;
  }
}
