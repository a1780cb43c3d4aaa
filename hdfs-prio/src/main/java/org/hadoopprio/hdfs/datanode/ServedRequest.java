package org.hadoopprio.hdfs.datanode;

import org.hadoopprio.IoPriority;
import org.hadoopprio.linux.ThreadIoPriority;
import org.hadoopprio.metrics.ClassMetrics;
import org.hadoopprio.metrics.PriorityMetrics;
import org.hadoopprio.policy.Admission;
import org.hadoopprio.role.IoRole;

/**
 * A read or write with a priority that a thread of the DataNode is doing. Not thread-safe; used by
 * that thread only.
 */
final class ServedRequest {

  private final IoPriority priority;
  private final Runnable release;
  private final ClassMetrics metrics;
  private final long startNanos = System.nanoTime();
  private int priorityToRestore = ThreadIoPriority.UNCHANGED;
  private long bytes;

  private ServedRequest(IoPriority priority, Runnable release, ClassMetrics metrics) {
    this.priority = priority;
    this.release = release;
    this.metrics = metrics;
    metrics.requests().increment();
  }

  /**
   * A client's request that has been admitted.
   *
   * @param metrics those of its class, which count it
   */
  static ServedRequest of(Admission admission, ClassMetrics metrics) {
    return new ServedRequest(admission.priority(), admission::release, metrics);
  }

  /** Something that the DataNode does of its own accord. */
  static ServedRequest of(IoRole role, IoPriority priority) {
    ClassMetrics metrics = PriorityMetrics.work(role, priority.ioClass());
    return new ServedRequest(priority, () -> {}, metrics);
  }

  /** Gives the calling thread the priority that was granted. */
  void applyPriority() {
    priorityToRestore = ThreadIoPriority.apply(priority);
  }

  /** Counts bytes of block data that have been sent or received. */
  void moved(long count) {
    bytes += count;
  }

  /** Restores the thread's priority and gives back the request's places in the caps. */
  void giveBack() {
    try {
      ThreadIoPriority.restore(priorityToRestore);
    } finally {
      release.run();
    }
  }

  /** The same for a request that has been served: its bytes and its time are counted. */
  void finish() {
    giveBack();
    metrics.served(bytes, System.nanoTime() - startNanos);
  }
}
