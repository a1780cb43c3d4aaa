// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.lab.workload;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.HdrHistogram.EncodableHistogram;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.HistogramLogReader;

/**
 * A log of latency histograms, one per second, as YCSB writes them with {@code
 * hdrhistogram.fileoutput=true}: with it, a part of a run can be looked at alone.
 */
final class LatencyLog {

  private static final int SIGNIFICANT_DIGITS = 3;

  private final Path file;

  LatencyLog(Path file) {
    this.file = file;
  }

  /**
   * The latencies, in microseconds, of the operations that ended in a window; empty when there is
   * no log.
   *
   * @param fromMillis the window's begin, since the epoch; a histogram belongs to the window when
   *     its middle does
   */
  Histogram between(long fromMillis, long toMillis) throws IOException {
    Histogram sum = new Histogram(SIGNIFICANT_DIGITS);
    sum.setAutoResize(true);
    if (!Files.exists(file)) {
      return sum;
    }
    HistogramLogReader reader = new HistogramLogReader(file.toFile());
    for (EncodableHistogram next = reader.nextIntervalHistogram();
        next != null;
        next = reader.nextIntervalHistogram()) {
      long middle = (next.getStartTimeStamp() + next.getEndTimeStamp()) / 2;
      if (middle >= fromMillis && middle < toMillis) {
        sum.add((Histogram) next);
      }
    }
    return sum;
  }
}
