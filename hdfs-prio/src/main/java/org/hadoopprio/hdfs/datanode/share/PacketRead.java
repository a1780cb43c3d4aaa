package org.hadoopprio.hdfs.datanode.share;

import org.hadoopprio.linux.ThreadIoPriority;

/**
 * The packet a thread is reading from a volume. One a thread, used for each of its packets in turn:
 * no allocation for each. All but the thread's own fields are guarded by the pacer.
 */
final class PacketRead {

  /** The volume's; null between packets. */
  VolumePacer pacer;

  boolean realtime;

  /** Done at be:0 by {@link RealtimeExcess#DEMOTE}: counts neither as real-time nor as waiting. */
  boolean demoted;

  /** Where in the block this read's turn ends; exclusive. */
  long turnEnd;

  /** What ends a demotion. */
  int priorityToRestore = ThreadIoPriority.UNCHANGED;

  /** When the packet went to the disk; nanoseconds of the pacer's clock. */
  long began;
}
