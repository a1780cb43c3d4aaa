// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.lab.workload;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Properties;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import site.ycsb.Status;
import site.ycsb.measurements.Measurements;
import site.ycsb.measurements.exporter.JSONArrayMeasurementsExporter;

class YcsbReportTest {

  @TempDir Path directory;

  /** Reads what YCSB itself writes. */
  @Test
  void readsYcsbsOwnFile() throws IOException {
    Properties properties = new Properties();
    properties.setProperty("measurementtype", "hdrhistogram");
    Measurements measurements = new Measurements(properties);
    for (int micros = 1000; micros <= 100_000; micros += 1000) {
      measurements.measure("READ-rt:0", micros);
      measurements.reportStatus("READ-rt:0", micros <= 3000 ? Status.ERROR : Status.OK);
    }
    Path file = directory.resolve("ycsb.json");
    try (OutputStream out = Files.newOutputStream(file);
        JSONArrayMeasurementsExporter exporter = new JSONArrayMeasurementsExporter(out)) {
      exporter.write("OVERALL", "RunTime(ms)", 2500L);
      exporter.write("OVERALL", "Throughput(ops/sec)", 40.0);
      measurements.exportMeasurements(exporter);
    }

    YcsbReport report = YcsbReport.read(file);
    YcsbReport.Latencies reads = report.latencies("READ-rt:0");
    assertEquals(100, reads.operations());
    assertEquals(50_500, reads.mean(), 50);
    assertEquals(95_000, reads.p95(), 200);
    assertEquals(99_000, reads.p99(), 200);
    assertEquals(100_000, reads.max(), 200);
    assertEquals(3, report.failures("READ-rt:0"));
    assertEquals(2.5, report.seconds());
    assertEquals(40, report.throughput());
    assertEquals(0, report.latencies("SCAN").operations());
    assertEquals(0, report.failures("SCAN"));
  }
}
