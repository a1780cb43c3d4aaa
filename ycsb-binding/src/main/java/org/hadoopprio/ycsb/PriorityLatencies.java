// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.ycsb;

import java.util.concurrent.TimeUnit;
import org.hadoopprio.IoPriority;
import site.ycsb.Status;
import site.ycsb.measurements.Measurements;

/**
 * YCSB's latency series of an operation, split by priority: {@code READ-rt:0} and {@code READ-none}
 * in addition to {@code READ}.
 *
 * <p>Used by one thread, because YCSB keeps the intended start time per thread.
 */
final class PriorityLatencies {

  private final Measurements measurements;

  PriorityLatencies(Measurements measurements) {
    this.measurements = measurements;
  }

  /**
   * Records one operation that has just ended.
   *
   * @param priority the priority that it carried, or null
   * @param startNanos its start by System.nanoTime()
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
