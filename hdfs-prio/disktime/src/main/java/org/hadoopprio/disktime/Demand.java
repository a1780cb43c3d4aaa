// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.disktime;

/**
 * What the owner of a claim asks the disk for. The owner writes it before it asks, and never while
 * it waits: the queues are in the order of it.
 */
final class Demand {

  /** The value of {@link #deadline} of a read without a latency target. */
  static final long NO_DEADLINE = Long.MAX_VALUE;

  /** When the read should be answered. Streams heed none. */
  long deadline = NO_DEADLINE;

  /** How many reads are expected to follow before the deadline, one after the other. */
  int following;

  /** Whether it writes. */
  boolean writes;

  /** Whether it is a sync of what was written. */
  boolean syncs;

  /** How many parts of {@link Claim#PART_BYTES} a real-time read asks for. */
  int parts = 1;

  /** Whether a real-time read asks to go on where it, or another one, has been. */
  boolean continues;

  /** As how many streams it counts where disk time is shared out, 1 or more. */
  double streams = 1;

  /** Where its next request is on the device, or last one was; set while it is in, too. */
  volatile long place = Claim.UNKNOWN_PLACE;

  boolean hasDeadline() {
    return deadline != NO_DEADLINE;
  }
}
