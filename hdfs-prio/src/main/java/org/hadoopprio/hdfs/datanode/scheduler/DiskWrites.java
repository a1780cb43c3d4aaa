// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.hdfs.datanode.scheduler;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.hadoopprio.IoClass;
import org.hadoopprio.IoPriority;

/** The writes of one disk that would take turns, and what they have in memory. Thread-safe. */
final class DiskWrites {

  private final Set<ScheduledWrite> writes = ConcurrentHashMap.newKeySet();
  private final WriteBacklog backlog = new WriteBacklog(WriteLimit.OF_A_DISK);

  /** Anybody may write at idle, and what is written then leaves for the disk slowly. */
  private final WriteBacklog idleBacklog =
      new WriteBacklog(() -> WriteLimit.OF_A_DISK.getAsLong() / 2);

  void add(ScheduledWrite write) {
    writes.add(write);
  }

  void remove(ScheduledWrite write) {
    writes.remove(write);
  }

  /**
   * Makes them take turns, because readers have come: a thread that receives a block may be blocked
   * by the kernel, because the page cache is full of what the disk has to write.
   *
   * @return false if this process has no thread for it
   */
  boolean readersCame() {
    return writes.isEmpty() || TurnThreads.start(() -> writes.forEach(ScheduledWrite::readersCame));
  }

  /**
   * What those of a class have in the page cache.
   *
   * @param priority null for none
   */
  WriteBacklog backlog(IoPriority priority) {
    boolean idle = priority != null && priority.ioClass() == IoClass.IDLE;
    return idle ? idleBacklog : backlog;
  }
}
