package org.hadoopprio.lab.bench.demo;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.util.OptionalDouble;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.Test;

class DemoReportTest {

  private static final double MIB = 1 << 20;

  private static DemoReport.Phase phase(String system, long millis, double scanMib) {
    Histogram latencies = new Histogram(3);
    for (int i = 0; i < 100; i++) {
      latencies.recordValue(millis * 1000);
    }
    return new DemoReport.Phase(system, latencies, 1, 10, scanMib * MIB, OptionalDouble.of(0.5));
  }

  private static DemoReport report() {
    DemoReport report = new DemoReport();
    report.about("disk", "a disk");
    report.stock(phase("stock", 200, 100));
    report.prio(phase("hadoop-prio", 20, 80));
    report.blockMissing("no tracefs");
    return report;
  }

  @Test
  void tellsTheRatioAndWhatTheScansKeep() {
    String text = report().toText();
    assertTrue(text.contains("mean 10.0, p95 10.0; the scans keep 80 %"), text);
    assertTrue(text.contains("10.0/s"), text);
    assertTrue(text.contains("No figures from the block layer: no tracefs"), text);
  }

  @Test
  void saysWhenTheDiskIsNotASlowOne() {
    DemoReport report = report();
    assertTrue(report.toText().contains("This disk is not slow"), report.toText());
    report.slowDisk(true);
    assertFalse(report.toText().contains("This disk is not slow"), report.toText());
  }

  @Test
  void theFigureHasASeriesForEachSystemInMilliseconds() {
    assertEquals(2, report().figure().series().size());
    assertEquals("stock", report().figure().series().get(0).name());
    assertEquals(200, report().figure().series().get(0).y().get(0), 1);
    assertEquals(20, report().figure().series().get(1).y().get(1), 0.1);
  }

  @Test
  void theJsonHasBothPhases() throws IOException {
    JsonNode phases = new ObjectMapper().readTree(report().toJson()).path("phases");
    assertEquals(2, phases.size());
    assertEquals(100, phases.get(0).path("operations").asInt());
    assertEquals(80 * MIB, phases.get(1).path("scanBytesPerSecond").asDouble(), 1);
    assertEquals(0.5, phases.get(1).path("diskBusyShare").asDouble());
  }
}
