// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.disktime;

/** A read with a latency target among those that follow each other. Guarded by the lock. */
final class HeldRead {

  /** When a short read that waits has to end, as was expected when it came. */
  long endsBy;

  /** What those need that follow it, in nanoseconds. */
  long leadNanos;

  /** Whether it follows another one, as that one has said. */
  boolean follows;

  /** Until when another one may follow it; {@link Long#MIN_VALUE} if none may. */
  long followedUntil = Long.MIN_VALUE;

  /** The reads that it was held with; null if it was not. */
  HeldReads.Group group;
}
