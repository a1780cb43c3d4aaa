// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.hdfs.datanode.scheduler;

/**
 * How long the packet of a write may wait that its thread has received: a sync waits for data and
 * for its turn, and after it the packet for the disk to keep up. The client waits for all of it
 * together. Used by the receiving thread only.
 */
final class PacketWait {

  private final VolumeQueue queue;
  private final long longestNanos;
  private boolean begun;
  private long until;

  /**
   * Nothing has waited.
   *
   * @param longestNanos how long a packet may wait
   */
  PacketWait(VolumeQueue queue, long longestNanos) {
    this.queue = queue;
    this.longestNanos = longestNanos;
  }

  /** The packet is about to wait, as the first. */
  void begin() {
    begun = true;
    until = queue.now() + longestNanos;
  }

  /** The packet is about to wait, maybe once more. */
  void goOn() {
    if (!begun) {
      begin();
    }
  }

  /** The packet has been received. */
  void end() {
    begun = false;
  }

  /** When it goes on at the latest, by the queue's clock. */
  long until() {
    return until;
  }

  /** How much longer it may wait, in nanoseconds; 0 or less if no more. */
  long left() {
    return until - queue.now();
  }
}
