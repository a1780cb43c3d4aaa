// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.metrics;

/** What a DataNode does with the reads of one volume. Immutable. */
public final class VolumeStatus {

  private final String volume;
  private final String wanted;
  private final String mode;
  private final String reason;
  private final String device;
  private final String firstOnDisk;
  private final int streams;
  private final double realtimeShare;
  private final QueueStatus queue;
  private final ObservedStatus observed;

  /** What the metrics have shown of the queue under the name of another volume. */
  private final QueueStatus shownBefore;

  /** Makes a status; the getters describe the values. */
  public VolumeStatus(
      String volume,
      String wanted,
      String mode,
      String reason,
      String device,
      String firstOnDisk,
      int streams,
      double realtimeShare,
      QueueStatus queue,
      ObservedStatus observed) {
    this(
        volume,
        wanted,
        mode,
        reason,
        device,
        firstOnDisk,
        streams,
        realtimeShare,
        queue,
        observed,
        QueueStatus.NONE);
  }

  private VolumeStatus(
      String volume,
      String wanted,
      String mode,
      String reason,
      String device,
      String firstOnDisk,
      int streams,
      double realtimeShare,
      QueueStatus queue,
      ObservedStatus observed,
      QueueStatus shownBefore) {
    this.volume = volume;
    this.wanted = wanted;
    this.mode = mode;
    this.reason = reason;
    this.device = device;
    this.firstOnDisk = firstOnDisk;
    this.streams = streams;
    this.realtimeShare = realtimeShare;
    this.queue = queue;
    this.observed = observed;
    this.shownBefore = shownBefore;
  }

  /**
   * The same for a volume that has become the first on its disk.
   *
   * @param before what the metrics have shown of the queue under the names of other volumes
   */
  public VolumeStatus shownBefore(QueueStatus before) {
    return new VolumeStatus(
        volume,
        wanted,
        mode,
        reason,
        device,
        firstOnDisk,
        streams,
        realtimeShare,
        queue,
        observed,
        before);
  }

  /**
   * What the metrics show of the queue under the name of this volume. Of all volumes on a disk one
   * shows it, so that sums over volumes are those over disks. When that is another one than before,
   * its counters go on from 0: what had happened by then is no growth of them.
   */
  QueueStatus counted() {
    return firstOnDisk.equals(volume) ? queue.since(shownBefore) : QueueStatus.NONE;
  }

  /** The volume's directory. */
  public String getVolume() {
    return volume;
  }

  /** The mode in the configuration: off, observe, order or turns. */
  public String getWanted() {
    return wanted;
  }

  /** The mode in force. */
  public String getMode() {
    return mode;
  }

  /** The reason why the mode in force is not the one in the configuration; empty if it is. */
  public String getReason() {
    return reason;
  }

  /** The kernel's name of the block device below the volume; empty if it is not known. */
  public String getDevice() {
    return device;
  }

  /**
   * The first of the DataNode's volumes that have their disk, and so their queue, in common; the
   * volume itself if it is the only one.
   */
  public String getFirstOnDisk() {
    return firstOnDisk;
  }

  /** How many streams may have a turn together; 0 if reads of the volume cannot be made to wait. */
  public int getStreams() {
    return streams;
  }

  /** The share of disk time that real-time reads may use while others wait, in mode turns. */
  public double getRealtimeShare() {
    return realtimeShare;
  }

  /**
   * What has happened at its queue since the DataNode's start. All volumes on one disk have the
   * same one: sum it over those that are {@linkplain #getFirstOnDisk the first}.
   */
  public QueueStatus getQueue() {
    return queue;
  }

  /** What mode turns would have done while the mode was observe, since the DataNode's start. */
  public ObservedStatus getObserved() {
    return observed;
  }
}
