// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.disktime;

/**
 * What turns heed of the short reads that wait, whosoever they are. {@link TurnQueue} writes it
 * with the lock; whoever has a turn reads it without.
 */
final class ShortSigns {

  /** The greatest weight of them, or 0. */
  volatile double greatestWeight;

  /**
   * When one of them has to begin, or {@link Long#MAX_VALUE}. It waits for the shortest turn of a
   * stream first.
   */
  volatile long dueAt = Long.MAX_VALUE;
}
