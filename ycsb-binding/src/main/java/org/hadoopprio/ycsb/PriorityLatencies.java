package org.hadoopprio.ycsb;

import java.util.concurrent.TimeUnit;
import org.hadoopprio.IoPriority;
import site.ycsb.Status;
import site.ycsb.measurements.Measurements;

/**
 * YCSB's latency series of one operation, split by priority: beside {@code READ} there are {@code
 * READ-rt:0} and {@code READ-none}.
 *
 * <p>Used by one thread, as YCSB keeps the intended start time per thread.
 */
final class PriorityLatencies {

  private final Measurements measurements;

  PriorityLatencies(Measurements measurements) {
    this.measurements = measurements;
  }

  /**
   * Records one operation that has just ended.
   *
   * @param priority what it carried; null for nothing
   * @param startNanos System.nanoTime() when it began
   */
  void record(Operation operation, IoPriority priority, Status status, long startNanos) {
    long end = System.nanoTime();
    String series = operation + "-" + (priority == null ? IoPriority.NONE : priority);
    String latencySeries = status.isOk() ? series : series + "-FAILED";
    measurements.measure(latencySeries, micros(end - startNanos));
    measurements.measureIntended(latencySeries, micros(end - measurements.getIntendedtartTimeNs()));
    measurements.reportStatus(series, status);
  }

  private static int micros(long nanos) {
    return (int) TimeUnit.NANOSECONDS.toMicros(nanos);
  }
}
