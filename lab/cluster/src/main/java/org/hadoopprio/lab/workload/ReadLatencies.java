// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.lab.workload;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.LongSupplier;
import org.HdrHistogram.ConcurrentHistogram;
import org.HdrHistogram.Histogram;

/**
 * Latencies of reads that were due in a measured window, and the bytes that came in it.
 * Thread-safe.
 *
 * <p>A read's latency starts when it was due, not when a thread was free for it, so it includes the
 * wait in an overloaded reader. Reads that end after the window count too, so slow ones are not
 * left out.
 */
final class ReadLatencies {

  private static final int SIGNIFICANT_DIGITS = 3;
  private static final double MICROS_PER_MS = 1_000;
  private static final long NANOS_PER_MICRO = 1_000;
  private static final double NANOS_PER_SECOND = 1e9;
  private static final double BYTES_PER_MB = 1e6;

  private final MeasuredWindow window;
  private final LongSupplier nanoTime;
  private final Histogram micros = new ConcurrentHistogram(SIGNIFICANT_DIGITS);
  private final LongAdder bytes = new LongAdder();
  private final LongAdder ended = new LongAdder();
  private final LongAdder unfinished = new LongAdder();

  ReadLatencies(MeasuredWindow window) {
    this(window, System::nanoTime);
  }

  ReadLatencies(MeasuredWindow window, LongSupplier nanoTime) {
    this.window = window;
    this.nanoTime = nanoTime;
    micros.setAutoResize(true);
  }

  /** A read has ended now. */
  void ended(long dueNanos, int length) {
    long now = nanoTime.getAsLong();
    if (window.contains(now)) {
      bytes.add(length);
      ended.increment();
    }
    if (window.contains(dueNanos)) {
      micros.recordValue((now - dueNanos) / NANOS_PER_MICRO);
    }
  }

  /**
   * A read that was due was not even begun at the window's end; its wait until then is recorded, a
   * lower bound of its latency.
   */
  void neverBegun(long dueNanos) {
    if (window.contains(dueNanos)) {
      unfinished.increment();
      micros.recordValue((window.endNanos() - dueNanos) / NANOS_PER_MICRO);
    }
  }

  /** How many reads that were due in the window took no longer than so many milliseconds. */
  long countWithin(double millis) {
    return micros.getCountBetweenValues(0, (long) (millis * MICROS_PER_MS));
  }

  /** The figures; times in milliseconds, MB of 10^6 bytes. */
  ObjectNode toJson() {
    double seconds = window.lengthNanos() / NANOS_PER_SECOND;
    ObjectNode json = new ObjectMapper().createObjectNode();
    json.put("reads", micros.getTotalCount());
    json.put("seconds", seconds);
    json.put("reads_per_s", ended.sum() / seconds);
    json.put("mb_per_s", bytes.sum() / BYTES_PER_MB / seconds);
    json.put("never_begun", unfinished.sum());
    json.put("mean_ms", micros.getMean() / MICROS_PER_MS);
    json.put("p50_ms", percentile(50));
    json.put("p95_ms", percentile(95));
    json.put("p99_ms", percentile(99));
    json.put("p999_ms", percentile(99.9));
    json.put("max_ms", micros.getMaxValue() / MICROS_PER_MS);
    return json;
  }

  private double percentile(double percent) {
    return micros.getValueAtPercentile(percent) / MICROS_PER_MS;
  }
}
