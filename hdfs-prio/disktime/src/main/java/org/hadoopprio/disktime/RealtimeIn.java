// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.disktime;

import java.util.LinkedHashSet;
import java.util.Optional;
import java.util.Set;

/**
 * The real-time reads that are in: some are at the disk, some open their files, and the others wait
 * for something else. Guarded by the lock. Times are nanoseconds of one monotonic clock.
 */
final class RealtimeIn {

  private final Set<Claim> in = new LinkedHashSet<>();
  private final RealtimeOpenings opening = new RealtimeOpenings();
  private final RealtimeAtDisk atDisk = new RealtimeAtDisk();
  private final RealtimeSigns signs;
  private final RealtimeTenants tenants;

  RealtimeIn(RealtimeSigns signs, RealtimeTenants tenants) {
    this.signs = signs;
    this.tenants = tenants;
  }

  /** A read has gone in. */
  void add(Claim claim) {
    in.add(claim);
    if (claim.realtime.opening) {
      opening.add(claim);
      tenants.opening(claim, 1);
      signs.present = true;
    }
  }

  /** A read has left. */
  void remove(Claim claim, long now) {
    away(claim, now);
    in.remove(claim);
  }

  /** A read is at the disk; returns whether it was not before. */
  boolean atDisk(Claim claim, long now) {
    endOpening(claim, now);
    if (claim.realtime.counted) {
      return false;
    }
    claim.realtime.counted = true;
    claim.realtime.usedDisk = true;
    claim.use.seen(now);
    atDisk.add(claim);
    tenants.reading(claim, claim.realtime.parts, now);
    signs.progressAt = now;
    signs.present = true;
    return true;
  }

  /** A read is not at the disk, and does not open its files. */
  void away(Claim claim, long now) {
    endOpening(claim, now);
    if (claim.realtime.counted) {
      claim.realtime.counted = false;
      atDisk.remove(claim);
      tenants.reading(claim, -claim.realtime.parts, now);
      signs.progressAt = now;
    }
    signs.present = !atDisk.isEmpty() || !opening.isEmpty();
  }

  private void endOpening(Claim claim, long now) {
    if (claim.realtime.opening) {
      claim.realtime.opening = false;
      opening.remove(claim, now);
      tenants.opening(claim, -1);
    }
  }

  /** What they read, or may soon, in parts of 256 KiB. */
  int parts() {
    return atDisk.parts() + opening.size();
  }

  /** Those that are at the disk, or may be soon. */
  int size() {
    return atDisk.size() + opening.size();
  }

  /** Those of them that go on where they were. */
  int sequential() {
    return atDisk.sequential();
  }

  boolean isAnyOpening() {
    return !opening.isEmpty();
  }

  /** Whether one opens its files on the disk. */
  boolean isOpeningAtDisk(long now) {
    return opening.isAtDisk(now);
  }

  /** Whether one reads data from the disk. */
  boolean isReading() {
    return !atDisk.isEmpty();
  }

  /** Whether one uses the disk. */
  boolean isAtDisk(long now) {
    return isReading() || opening.isAtDisk(now);
  }

  /** For how long one has used the disk between two times, in nanoseconds. */
  long diskNanos(long from, long now) {
    return isReading() ? now - from : opening.diskNanos(from, now);
  }

  /** They have used disk time. */
  void used(long nanos) {
    if (isReading()) {
      atDisk.used(nanos);
    }
  }

  /** For how long the one has been at the disk that is there for longest, in nanoseconds. */
  long oldestNanos(long now) {
    long oldest = 0;
    for (Claim each : in) {
      oldest = each.realtime.counted ? Math.max(oldest, each.use.nanos(now)) : oldest;
    }
    return oldest;
  }

  /** One that was not seen for too long. */
  Optional<Claim> lost(long now) {
    return in.stream().filter(each -> each.realtime.isAny() && now >= each.lostAt()).findFirst();
  }

  /** When the first of them will be regarded as lost, at the earliest. */
  long lostAt(long now) {
    long lostAt = now + Disk.LOST_NANOS;
    for (Claim claim : in) {
      lostAt = claim.realtime.isAny() ? Math.min(lostAt, claim.lostAt()) : lostAt;
    }
    return lostAt;
  }
}
