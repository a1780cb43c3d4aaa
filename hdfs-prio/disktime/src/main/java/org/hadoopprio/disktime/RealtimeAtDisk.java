// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.disktime;

/**
 * The real-time reads that are at a disk now. Finds out what those needed of it that had it to
 * themselves. Guarded by the lock.
 */
final class RealtimeAtDisk {

  private int count;

  /** Those of them that go on where they were. */
  private int sequential;

  private int parts;

  /** The one that came when no other was there; null if it has left. */
  private Claim first;

  /** What had been used when it came. */
  private long firstAt;

  /** The disk time that they have used. */
  private long usedNanos;

  int size() {
    return count;
  }

  /** What they read, in parts of 256 KiB. */
  int parts() {
    return parts;
  }

  int sequential() {
    return sequential;
  }

  boolean isEmpty() {
    return count == 0;
  }

  /** They have used disk time. */
  void used(long nanos) {
    usedNanos += nanos;
  }

  void add(Claim claim) {
    if (count == 0) {
      first = claim;
      firstAt = usedNanos;
    } else {
      claim.realtime.shared = true;
      if (first != null) {
        first.realtime.shared = true;
      }
    }
    count++;
    sequential += claim.realtime.sequential ? 1 : 0;
    parts += claim.realtime.parts;
  }

  void remove(Claim claim) {
    if (claim == first) {
      claim.realtime.aloneNanos += usedNanos - firstAt;
      first = null;
    }
    count--;
    sequential -= claim.realtime.sequential ? 1 : 0;
    parts -= claim.realtime.parts;
  }
}
