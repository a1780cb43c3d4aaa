// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.hdfs.datanode.scheduler;

/**
 * The real-time reads of a volume that are at its disk now. Finds out what those needed of it that
 * had it to themselves. Guarded by the volume's lock.
 */
final class RealtimeAtDisk {

  private int count;

  /** Those of them that go on where they were. */
  private int sequential;

  private int parts;

  /** The one that came when no other was there; null if it has left. */
  private Ticket first;

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

  void add(Ticket ticket) {
    if (count == 0) {
      first = ticket;
      firstAt = usedNanos;
    } else {
      ticket.shared = true;
      if (first != null) {
        first.shared = true;
      }
    }
    count++;
    sequential += ticket.sequential ? 1 : 0;
    parts += ticket.partsIn;
  }

  void remove(Ticket ticket) {
    if (ticket == first) {
      ticket.aloneNanos += usedNanos - firstAt;
      first = null;
    }
    count--;
    sequential -= ticket.sequential ? 1 : 0;
    parts -= ticket.partsIn;
  }
}
