package org.hadoopprio.hdfs.datanode;

import org.hadoopprio.linux.ThreadIoPriority;
import org.hadoopprio.metrics.ClassMetrics;
import org.hadoopprio.metrics.PriorityMetrics;
import org.hadoopprio.policy.Admission;

/**
 * A read with a priority that a DataXceiver thread is serving. Not thread-safe; used by that thread
 * only.
 */
final class ServedRead {

  private final Admission admission;
  private final long startNanos = System.nanoTime();
  private int priorityToRestore = ThreadIoPriority.UNCHANGED;
  private long bytes;

  ServedRead(Admission admission) {
    this.admission = admission;
  }

  /** Gives the calling thread the priority that was granted. */
  void applyPriority() {
    priorityToRestore = ThreadIoPriority.apply(admission.priority());
  }

  void sent(long count) {
    bytes += count;
  }

  /** Restores the thread's priority and gives back the read's places in the caps. */
  void giveBack() {
    try {
      ThreadIoPriority.restore(priorityToRestore);
    } finally {
      admission.release();
    }
  }

  /** The same for a read that has been served, which is counted. */
  void finish() {
    giveBack();
    ClassMetrics metrics = PriorityMetrics.reads(admission.priority().ioClass());
    metrics.served(bytes, System.nanoTime() - startNanos);
  }
}
