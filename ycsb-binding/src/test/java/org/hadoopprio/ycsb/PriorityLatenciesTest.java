// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.ycsb;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.util.Map;
import java.util.Properties;
import java.util.TreeMap;
import org.hadoopprio.IoPriority;
import org.junit.jupiter.api.Test;
import site.ycsb.Status;
import site.ycsb.measurements.Measurements;
import site.ycsb.measurements.exporter.MeasurementsExporter;

class PriorityLatenciesTest {

  /** The values that YCSB reports, by "[series] name". */
  private static Map<String, Number> report(Measurements measurements) throws IOException {
    Map<String, Number> report = new TreeMap<>();
    measurements.exportMeasurements(
        new MeasurementsExporter() {
          @Override
          public void write(String metric, String measurement, int i) {
            report.put("[" + metric + "] " + measurement, i);
          }

          @Override
          public void write(String metric, String measurement, long i) {
            report.put("[" + metric + "] " + measurement, i);
          }

          @Override
          public void write(String metric, String measurement, double d) {
            report.put("[" + metric + "] " + measurement, d);
          }

          @Override
          public void close() {}
        });
    return report;
  }

  @Test
  void everyPriorityHasItsOwnSeriesOfBothIntervals() throws IOException {
    Properties properties = new Properties();
    properties.setProperty("measurement.interval", "both");
    properties.setProperty("measurementtype", "hdrhistogram");
    Measurements measurements = new Measurements(properties);
    PriorityLatencies latencies = new PriorityLatencies(measurements);
    long now = System.nanoTime();
    measurements.setIntendedStartTimeNs(now - 900_000_000);

    latencies.record(Operation.READ, IoPriority.realtime(0), Status.OK, now - 5_000_000);
    latencies.record(Operation.READ, IoPriority.realtime(0), Status.NOT_FOUND, now);
    latencies.record(Operation.READ, null, Status.OK, now - 400_000_000);
    latencies.record(Operation.READ, null, Status.OK, now - 400_000_000);
    long passed = (System.nanoTime() - now) / 1000;

    Map<String, Number> report = report(measurements);
    assertEquals(1L, report.get("[READ-rt:0] Operations").longValue());
    assertEquals(2L, report.get("[READ-none] Operations").longValue());
    assertEquals(1L, report.get("[READ-rt:0-FAILED] Operations").longValue());
    assertEquals(1, report.get("[READ-rt:0] Return=NOT_FOUND").intValue());
    assertEquals(2, report.get("[READ-none] Return=OK").intValue());
    assertLatency(5_000, passed, report.get("[READ-rt:0] MaxLatency(us)"));
    assertLatency(400_000, passed, report.get("[READ-none] MinLatency(us)"));
    assertLatency(900_000, passed, report.get("[Intended-READ-rt:0] MinLatency(us)"));
  }

  /**
   * Checks that a value is at least the stated one and at most the time passed; histograms round up
   * by 0.1 %.
   */
  private static void assertLatency(long stated, long passed, Number actual) {
    double most = 1.002 * (stated + passed) + 2;
    assertTrue(actual.doubleValue() >= stated && actual.doubleValue() <= most, actual::toString);
  }
}
