// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.disktime;

import java.util.ArrayDeque;

/**
 * One sequential access to a disk: a long read, or short reads that each continue where the one
 * before ended. Guarded by the lock.
 */
public class Stream {

  /** Its reads that wait for the disk, in the order of their arrival. */
  final ArrayDeque<Claim> waiting = new ArrayDeque<>();

  /**
   * The disk time that the stream has used, divided by its portion, in nanoseconds: its virtual
   * time in start-time fair queueing.
   */
  double virtualTime;

  /** The group that it waits in, or has waited in last. */
  StreamGroup group;

  /** When it began to wait for its next turn. */
  long waitsSince;

  /** The weight of its last turn; 0 before the first. */
  double weight;

  /** When it left the disk last. */
  long servedAt;

  /** The turn that it has; null if it has none. */
  Turn turn;

  /** The turn that it has; null if it has none. */
  public final Turn turn() {
    return turn;
  }

  /** The disk time that it has used, divided by its portion, in nanoseconds. */
  public final double virtualTime() {
    return virtualTime;
  }
}
