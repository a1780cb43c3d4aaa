// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.hdfs.datanode.scheduler;

import java.util.ArrayDeque;

/**
 * One sequential access to a volume: a long read, or short reads that each continue where the one
 * before ended. Guarded by the volume's lock.
 */
final class Stream {

  /** Its reads that wait for the disk, in the order of their arrival. */
  final ArrayDeque<Ticket> waiting = new ArrayDeque<>();

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

  /** The same for {@link Ticket#portion}. */
  double portion;

  /** When it left the disk last. */
  long servedAt;

  /**
   * Reads ahead for a client that reads the disk itself; null if nothing does. Not guarded by the
   * lock: used by that client's thread.
   */
  volatile TurnReadahead readahead;

  /** The turn that it has; null if it has none. */
  Turn turn;
}
