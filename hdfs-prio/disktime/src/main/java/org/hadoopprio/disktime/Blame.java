// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.disktime;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

/**
 * Finds out who had the disk while a claim waited. Each owner has a clock that runs while it has
 * the disk; a claim remembers the clocks when it begins to wait. Where several of a tenant are at
 * the disk together, the one that came last stands for them. Guarded by the lock. Times are
 * nanoseconds.
 */
final class Blame {

  private final DiskCounters counters;
  private final Supplier<DiskSettings> settings;
  private final SlowReads slowReads = new SlowReads();

  /** The place of each clock. */
  private final Map<Owner, Integer> places = new HashMap<>();

  /** Whose each clock is. */
  private final List<Owner> owners = new ArrayList<>();

  private long[] clocks = {};

  /**
   * Nobody has had the disk.
   *
   * @param counters learn what is found out
   */
  Blame(DiskCounters counters, Supplier<DiskSettings> settings) {
    this.counters = counters;
    this.settings = settings;
  }

  /** Somebody had the disk for some time. */
  void had(Owner owner, long nanos) {
    Integer known = places.get(owner);
    int place = known == null ? add(owner) : known;
    clocks[place] += nanos;
  }

  private int add(Owner owner) {
    int place = owners.size();
    places.put(owner, place);
    owners.add(owner);
    clocks = Arrays.copyOf(clocks, owners.size());
    return place;
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
    long waited = now - claim.askedAt;
    TenantCounters its = counters.of(claim.tenant());
    its.waited(waited);
    for (int place = 0; place < clocks.length; place++) {
      long had = had(place, before);
      if (had > 0) {
        its.blamed(owners.get(place), had);
      }
    }
    if (isSlow(claim, waited)) {
      its.wasSlow();
      slowReads.add(new SlowRead(claim, now, most(before)));
    }
  }

  private long had(int place, long[] before) {
    return clocks[place] - (place < before.length ? before[place] : 0);
  }

  /** Nobody waits with a write that takes turns, and a sync is no read. */
  private boolean isSlow(Claim claim, long waited) {
    long least = settings.get().slowNanos();
    return least > 0 && waited > least && !claim.isWriting();
  }

  /** Those that had most, and how much. */
  private Map<Owner, Long> most(long[] before) {
    List<Integer> holders = new ArrayList<>();
    for (int place = 0; place < clocks.length; place++) {
      if (had(place, before) > 0) {
        holders.add(place);
      }
    }
    holders.sort(Comparator.comparingLong(place -> -had(place, before)));
    Map<Owner, Long> most = new LinkedHashMap<>();
    holders.stream()
        .limit(SlowRead.MOST_HOLDERS)
        .forEach(place -> most.put(owners.get(place), had(place, before)));
    return most;
  }

  /** The reads that have waited for long. */
  SlowReads slowReads() {
    return slowReads;
  }
}
