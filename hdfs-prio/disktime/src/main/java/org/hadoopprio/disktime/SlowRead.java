// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.disktime;

import java.util.Collections;
import java.util.Map;

/**
 * A read that has waited for a disk for longer than {@link DiskSettings#slowNanos}, and who had it
 * meanwhile. Immutable. Times are nanoseconds of one monotonic clock.
 */
public final class SlowRead {

  /** Of how many it is known that they had the disk. */
  static final int MOST_HOLDERS = 8;

  private final Owner owner;
  private final String priority;
  private final long endedAt;
  private final long waitNanos;
  private final Map<Owner, Long> heldNanos;

  /**
   * The read of a claim, of which nothing else is kept.
   *
   * @param endedAt when it waited no more
   * @param heldNanos not changed by the caller from now on
   */
  SlowRead(Claim claim, long endedAt, Map<Owner, Long> heldNanos) {
    this.owner = claim.owner();
    this.priority = claim.priority();
    this.endedAt = endedAt;
    this.waitNanos = endedAt - claim.askedAt;
    this.heldNanos = Collections.unmodifiableMap(heldNanos);
  }

  /** Whose read it was. */
  public Owner owner() {
    return owner;
  }

  /** What it was granted ({@link Claim#priority}). */
  public String priority() {
    return priority;
  }

  /** When it waited no more. */
  public long endedAt() {
    return endedAt;
  }

  /** How long it had waited. */
  public long waitNanos() {
    return waitNanos;
  }

  /**
   * Who had the disk meanwhile, and for how long: at most eight, those that had most first. The
   * rest of the time others had it, or nobody.
   */
  public Map<Owner, Long> heldNanos() {
    return heldNanos;
  }
}
