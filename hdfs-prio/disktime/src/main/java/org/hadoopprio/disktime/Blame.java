// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.disktime;

import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Finds out which tenants had the disk while a claim waited. Each has a clock that runs while it
 * has the disk; a claim remembers the clocks when it begins to wait. Guarded by the lock. Times are
 * nanoseconds.
 */
final class Blame {

  private final DiskCounters counters;

  /** The place of each tenant's clock. */
  private final Map<Tenant, Integer> places = new LinkedHashMap<>();

  private long[] clocks = new long[1];

  /**
   * Nobody has had the disk.
   *
   * @param counters learn what is found out
   */
  Blame(DiskCounters counters) {
    this.counters = counters;
  }

  /** A tenant had the disk for some time. */
  void had(Tenant tenant, long nanos) {
    Integer known = places.get(tenant);
    int place = known == null ? places.size() : known;
    if (known == null) {
      places.put(tenant, place);
      clocks = Arrays.copyOf(clocks, Math.max(clocks.length, places.size()));
    }
    clocks[place] += nanos;
  }

  /** A claim waits from now on. */
  void waits(Claim claim) {
    claim.clocks = clocks.clone();
  }

  /** It waits no more. One that has not waited at all is not counted. */
  void ends(Claim claim, long now) {
    long[] before = claim.clocks;
    claim.clocks = null;
    if (before == null) {
      return;
    }
    TenantCounters its = counters.of(claim.tenant());
    its.waited(now - claim.askedAt);
    places.forEach(
        (tenant, place) -> {
          long had = clocks[place] - (place < before.length ? before[place] : 0);
          if (had > 0) {
            its.blamed(tenant, had);
          }
        });
  }
}
