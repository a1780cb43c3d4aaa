// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.disktime;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.HashMap;
import java.util.Map;

/**
 * Compares what a disk blames with what it charges: while a read waits, each tenant's real-time is
 * blamed for just what it is charged, and the other classes for no more than what real-time leaves.
 */
final class BlameCheck {

  /** What was charged when a read began to wait. */
  private final class Begin {
    private final long at;
    private final long realtime = counters.usedNanos(DiskClass.REALTIME);
    private final Map<Tenant, Long> ofTenants = realtimeOfTenants();

    Begin(long at) {
      this.at = at;
    }
  }

  /** What a tenant's waits may be blamed on. */
  private static final class Expected {
    private long waited;
    private long leftByRealtime;
    private final Map<Tenant, Long> realtime = new HashMap<>();
  }

  private final DiskCounters counters;
  private final Map<Claim, Begin> waiting = new HashMap<>();
  private final Map<Tenant, Expected> expected = new HashMap<>();

  BlameCheck(DiskCounters counters) {
    this.counters = counters;
  }

  private Map<Tenant, Long> realtimeOfTenants() {
    Map<Tenant, Long> all = new HashMap<>();
    counters.tenants().forEach((tenant, its) -> all.put(tenant, its.usedNanos(DiskClass.REALTIME)));
    return all;
  }

  /** A read has asked, and waits if it has not gone. */
  void asked(Claim claim, long now) {
    if (claim.isWaiting()) {
      waiting.put(claim, new Begin(now));
    }
  }

  /** It waits no more, if it has waited. */
  void ended(Claim claim, long now) {
    Begin begin = waiting.remove(claim);
    if (begin != null) {
      Expected its = expected.computeIfAbsent(claim.tenant(), each -> new Expected());
      long realtime = counters.usedNanos(DiskClass.REALTIME) - begin.realtime;
      its.waited += now - begin.at;
      its.leftByRealtime += now - begin.at - realtime;
      realtimeOfTenants()
          .forEach(
              (tenant, used) ->
                  its.realtime.merge(
                      tenant, used - begin.ofTenants.getOrDefault(tenant, 0L), Long::sum));
    }
  }

  /** All that was blamed adds up. */
  void assertAddsUp() {
    counters.tenants().forEach(this::assertAddsUp);
  }

  private void assertAddsUp(Tenant tenant, TenantCounters its) {
    Expected all = expected.getOrDefault(tenant, new Expected());
    assertEquals(all.waited, its.waitNanos(), tenant + " has waited");
    long lower = 0;
    Map<Tenant, Long> realtime = new HashMap<>();
    for (Map.Entry<Owner, Long> blamed : its.blamedNanos().entrySet()) {
      Owner holder = blamed.getKey();
      if (holder.diskClass() == DiskClass.REALTIME) {
        realtime.merge(holder.tenant(), blamed.getValue(), Long::sum);
      } else {
        lower += blamed.getValue();
      }
    }
    all.realtime.values().removeIf(nanos -> nanos == 0);
    assertEquals(all.realtime, realtime, tenant + " by real-time");
    assertTrue(lower > 0 && lower <= all.leftByRealtime, tenant + " by others: " + lower);
  }
}
