// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.disktime;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeMap;

/**
 * The short reads and syncs of a tenant that wait for their turn, of which there may be thousands:
 * no step looks at all of them. Guarded by the lock. Times are nanoseconds of one monotonic clock.
 */
final class ShortReads {

  private final HeldReads held;

  /** In the order of their arrival. */
  private final Set<Claim> waiting = new LinkedHashSet<>();

  /** The same of each weight. */
  private final TreeMap<Double, Set<Claim>> weights = new TreeMap<>();

  /** Those that have a deadline, by the time at which they have to end. */
  private final TreeMap<Long, List<Claim>> deadlines = new TreeMap<>();

  /** Whether the last one that was taken went before others because it had to begin. */
  private boolean lastWasDue;

  /** Whether the last one of the others that was taken had the greatest weight. */
  private boolean lastWasGreatest = true;

  /** The greatest weight of those that came lately, also of those that wait no more. */
  private double greatestLately;

  /** Until when that one counts. */
  private long latelyUntil = Long.MIN_VALUE;

  /** Also read without the lock. */
  private volatile double greatestWeight;

  private long dueAt = Long.MAX_VALUE;

  /**
   * None.
   *
   * @param held knows what a read needs
   */
  ShortReads(HeldReads held) {
    this.held = held;
  }

  boolean isEmpty() {
    return waiting.isEmpty();
  }

  int size() {
    return waiting.size();
  }

  /** The greatest weight of them, or 0. Thread-safe. */
  double greatestWeight() {
    return greatestWeight;
  }

  /**
   * When one of them has to begin, or {@link Long#MAX_VALUE}. It waits for the shortest turn of a
   * stream first.
   */
  long dueAt() {
    return dueAt;
  }

  /** Whether one of a greater weight than all of these has come lately. */
  boolean areOutweighed(long now) {
    return now < latelyUntil && greatestWeight < greatestLately;
  }

  void add(Claim claim) {
    if (claim.weight >= greatestLately || claim.askedAt >= latelyUntil) {
      greatestLately = claim.weight;
      latelyUntil = claim.askedAt + ShortDepth.ORDER_NANOS;
    }
    waiting.add(claim);
    weights.computeIfAbsent(claim.weight, weight -> new LinkedHashSet<>()).add(claim);
    claim.held.endsBy = claim.hasDeadline() ? held.lastEnd(claim) : Demand.NO_DEADLINE;
    if (claim.hasDeadline()) {
      deadlines.computeIfAbsent(claim.held.endsBy, end -> new ArrayList<>()).add(claim);
    }
    update();
  }

  void remove(Claim claim) {
    if (waiting.remove(claim)) {
      weights.computeIfPresent(
          claim.weight, (weight, all) -> all.remove(claim) && all.isEmpty() ? null : all);
      if (claim.hasDeadline()) {
        deadlines.computeIfPresent(
            claim.held.endsBy, (end, all) -> all.remove(claim) && all.isEmpty() ? null : all);
      }
      update();
    }
  }

  /**
   * Takes out the one that goes next: one that has to begin at most every second time, and else, by
   * turns, the first that came and the first of the greatest weight. So nobody who asks much at a
   * small weight delays a sync of a greater one.
   */
  Claim take(long now) {
    Set<Claim> inOrder = lastWasGreatest ? waiting : weights.lastEntry().getValue();
    Claim first = inOrder.iterator().next();
    lastWasDue = now >= dueAt && !(lastWasDue && beginsAt(first.held.endsBy) > now);
    if (lastWasDue) {
      first = deadlines.firstEntry().getValue().get(0);
      // It has had the place of the greatest weight, too: the first that came is next.
      lastWasGreatest |= first.weight >= greatestWeight;
    } else {
      lastWasGreatest = first.weight >= greatestWeight;
    }
    remove(first);
    return first;
  }

  private long beginsAt(long endsBy) {
    return endsBy == Demand.NO_DEADLINE
        ? Long.MAX_VALUE
        : endsBy - held.neededNanos(1) - TurnLength.MIN_TURN_NANOS;
  }

  private void update() {
    greatestWeight = weights.isEmpty() ? 0 : weights.lastKey();
    dueAt = beginsAt(deadlines.isEmpty() ? Demand.NO_DEADLINE : deadlines.firstKey());
  }
}
