// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.disktime;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Predicate;
import java.util.function.ToDoubleFunction;

/**
 * Real-time reads that wait before a gate: those of a tenant in the order of their coming. Guarded
 * by the lock.
 */
final class RealtimeQueue {

  private final Map<Tenant, Deque<Claim>> waiting = new LinkedHashMap<>();
  private int size;

  boolean isEmpty() {
    return size == 0;
  }

  int size() {
    return size;
  }

  /** Whether one of a tenant waits. */
  boolean has(Tenant tenant) {
    return waiting.containsKey(tenant);
  }

  void add(Claim claim) {
    waiting.computeIfAbsent(claim.tenant(), tenant -> new ArrayDeque<>()).add(claim);
    size++;
  }

  void addAll(Iterable<Claim> claims) {
    claims.forEach(this::add);
  }

  /** Takes one out, if it waits. */
  void remove(Claim claim) {
    waiting.computeIfPresent(
        claim.tenant(),
        (tenant, its) -> {
          size -= its.remove(claim) ? 1 : 0;
          return its.isEmpty() ? null : its;
        });
  }

  /**
   * Takes out the next one that may go; null if none may.
   *
   * @param order of the first ones of the tenants: the one with the least goes first
   */
  Claim take(Predicate<Claim> mayGo, ToDoubleFunction<Claim> order) {
    Claim next = null;
    double least = Double.POSITIVE_INFINITY;
    for (Deque<Claim> its : waiting.values()) {
      Claim first = its.peek();
      double has = order.applyAsDouble(first);
      if ((next == null || has < least) && mayGo.test(first)) {
        next = first;
        least = has;
      }
    }
    if (next != null) {
      remove(next);
    }
    return next;
  }
}
