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
  private final int priorityToRestore;
  private long bytes;

  ServedRead(Admission admission) {
    this.admission = admission;
    this.priorityToRestore = ThreadIoPriority.apply(admission.priority());
  }

  void sent(long count) {
    bytes += count;
  }

  void finish() {
    ThreadIoPriority.restore(priorityToRestore);
    admission.release();
    ClassMetrics metrics = PriorityMetrics.reads(admission.priority().ioClass());
    metrics.served(bytes, System.nanoTime() - startNanos);
  }
}
