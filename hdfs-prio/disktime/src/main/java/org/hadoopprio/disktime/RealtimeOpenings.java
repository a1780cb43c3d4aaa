// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.disktime;

import java.util.ArrayDeque;
import java.util.Deque;

/**
 * The real-time reads of a disk that open their files. One that takes longer than {@link
 * RealtimeReads#OPENING_NANOS} reads inodes and checksums from the disk: it holds others back and
 * is charged for that, until {@link RealtimeReads#MAX_HELD_BACK_NANOS} show that it hangs.
 *
 * <p>Not thread-safe: guarded by the lock. Times are nanoseconds of one monotonic clock.
 */
final class RealtimeOpenings {

  private final Deque<Claim> openings = new ArrayDeque<>();

  boolean isEmpty() {
    return openings.isEmpty();
  }

  int size() {
    return openings.size();
  }

  /** A read that has gone in now opens its files. */
  void add(Claim claim) {
    openings.add(claim);
  }

  /** It has opened them, or has failed to. */
  void remove(Claim claim, long now) {
    openings.remove(claim);
    long nanos = now - claim.use.enteredAt();
    claim.realtime.openNanos = nanos < RealtimeReads.OPENING_NANOS ? 0 : nanos;
  }

  /** Whether one of them uses the disk. */
  boolean isAtDisk(long now) {
    for (Claim claim : openings) {
      long age = now - claim.use.enteredAt();
      if (age >= RealtimeReads.OPENING_NANOS && age < RealtimeReads.MAX_HELD_BACK_NANOS) {
        return true;
      }
    }
    return false;
  }

  /** For how long at least one of them used the disk between two times, in nanoseconds. */
  long diskNanos(long from, long to) {
    long nanos = 0;
    long counted = from;
    for (Claim claim : openings) {
      long begin = Math.max(counted, claim.use.enteredAt() + RealtimeReads.OPENING_NANOS);
      long end = Math.min(to, claim.use.enteredAt() + RealtimeReads.MAX_HELD_BACK_NANOS);
      if (end > begin) {
        nanos += end - begin;
        counted = end;
      }
    }
    return nanos;
  }
}
