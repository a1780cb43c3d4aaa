// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.hdfs.datanode.scheduler;

import org.hadoopprio.metrics.QueueStatus;

/**
 * The volume under whose name the metrics show the queue of a disk, which is the first of those
 * that are there. Thread-safe.
 */
final class ShownVolume {

  private String name = "";

  /** What was shown last, under whatever name. */
  private QueueStatus last = QueueStatus.NONE;

  private QueueStatus before = QueueStatus.NONE;

  /**
   * What is about to be shown.
   *
   * @param first the volume that shows it
   * @return what was shown under other names before that one
   */
  synchronized QueueStatus shows(String first, QueueStatus now) {
    if (!first.equals(name)) {
      name = first;
      before = last;
    }
    last = now;
    return before;
  }
}
