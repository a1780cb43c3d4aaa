package org.hadoopprio.hdfs.datanode;

import org.hadoopprio.linux.ThreadIoPriority;
import org.hadoopprio.metrics.ClassMetrics;
import org.hadoopprio.metrics.PriorityMetrics;
import org.hadoopprio.policy.Admission;

/** A read with a priority while its DataXceiver serves it. Used by that thread alone. */
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

  void end() {
    ThreadIoPriority.restore(priorityToRestore);
    admission.end();
    ClassMetrics metrics = PriorityMetrics.reads(admission.priority().ioClass());
    metrics.served(bytes, System.nanoTime() - startNanos);
  }
}
