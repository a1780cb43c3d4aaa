package org.hadoopprio.hdfs.datanode.share;

import org.hadoopprio.linux.ThreadIoPriority;

/**
 * The packet that a thread is reading from a volume. Each thread reuses one object for all its
 * packets, which saves allocations. The pacer guards the fields that it uses.
 */
final class PacketRead {

  /** The pacer of the volume; null between packets. */
  VolumePacer pacer;

  boolean realtime;

  /**
   * Done at be:0 because of {@link RealtimeExcess#DEMOTE}; counts neither as real-time nor as a
   * waiting read.
   */
  boolean demoted;

  /** The end of the read's current turn in the block, in bytes; exclusive. */
  long turnEnd;

  /** The value that ends a demotion; see {@link ThreadIoPriority#restore}. */
  int priorityToRestore = ThreadIoPriority.UNCHANGED;

  /** The time at which the packet went to the disk, in nanoseconds of the pacer's clock. */
  long enteredAt;
}
