// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.policy;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The places of one call in the caps while it waits for a thread and is served there. They are
 * counted beside those of requests that are served ({@link Admission}): so many calls at most may
 * wait as can be served. Used by one thread at a time.
 */
public final class Reservation {

  private final Map<ClassCap, Integer> operations = new HashMap<>();

  /** The call has an operation about which that was decided. */
  public void add(Decision decision) {
    for (ClassCap cap : decision.capsOfClass()) {
      operations.merge(cap, 1, Integer::sum);
    }
  }

  /** Whether the call needs no place in any cap. */
  public boolean isEmpty() {
    return operations.isEmpty();
  }

  /**
   * The caps in which it needs places; does not change any more. If they are for idle, another call
   * that needs the same ones has them exactly when this one has ({@link ClassCap#tryReserve}).
   */
  public Set<ClassCap> caps() {
    return Collections.unmodifiableSet(operations.keySet());
  }

  /**
   * How long at least until the rates allow {@link #tryAcquire}, in nanoseconds; 0 if they do now.
   */
  public long nanosUntilTokens() {
    return operations.keySet().stream().mapToLong(ClassCap::nanosUntilToken).max().orElse(0);
  }

  /** Whether {@link #tryAcquire} would acquire the places now. Changes nothing. */
  public boolean canAcquire() {
    return operations.entrySet().stream().allMatch(cap -> cap.getKey().canReserve(cap.getValue()));
  }

  /** Acquires the places; returns false, without any, if one of the caps is reached. */
  public boolean tryAcquire() {
    List<ClassCap> acquired = new ArrayList<>(operations.size());
    for (Map.Entry<ClassCap, Integer> cap : operations.entrySet()) {
      if (!cap.getKey().tryReserve(cap.getValue())) {
        acquired.forEach(ClassCap::releaseReserved);
        return false;
      }
      acquired.add(cap.getKey());
    }
    return true;
  }

  /** Gives the places back; once, when the call has been served or does not wait any more. */
  public void release() {
    operations.keySet().forEach(ClassCap::releaseReserved);
  }
}
