// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.lab.bench.demo;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.OptionalDouble;
import org.HdrHistogram.Histogram;
import org.hadoopprio.lab.bench.experiment.report.Figure;
import org.hadoopprio.lab.bench.experiment.report.FigureImage;
import org.hadoopprio.lab.disk.ReadAhead;
import org.junit.jupiter.api.Test;

class DemoReportTest {

  private static final double MIB = 1 << 20;

  private static DemoReport.Phase phase(String system, long millis, double scanMib) {
    Histogram latencies = new Histogram(3);
    for (int i = 0; i < 100; i++) {
      latencies.recordValue(millis * 1000);
    }
    DemoReport.Phase phase = new DemoReport.Phase(system, latencies, 1, 10, scanMib * MIB);
    phase.disk(OptionalDouble.of(0.5), OptionalDouble.of(90 * MIB));
    return phase;
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
  void whatTheDiskReadStandsBesideWhatTheScansGot() throws IOException {
    String text = report().toText();
    assertTrue(text.matches("(?s).*100\\.0 .*90\\.0.*"), text);
    assertTrue(
        text.contains("stock: 10 % of what the scans read did not come from the disk"), text);
    assertFalse(text.contains("hadoop-prio: 1"), text);
    JsonNode stock = new ObjectMapper().readTree(report().toJson()).at("/phases/0");
    assertEquals(90 * MIB, stock.path("diskBytesPerSecond").asDouble(), 1);
  }

  @Test
  void saysWhenTheDiskIsNotASlowOne() {
    DemoReport report = report();
    assertTrue(report.toText().contains("This disk is not slow"), report.toText());
    report.slowDisk(true);
    assertFalse(report.toText().contains("This disk is not slow"), report.toText());
  }

  @Test
  void thePictureShowsTheDistributionOfLatenciesAndWhatTheScansGot() throws IOException {
    Histogram latencies = new Histogram(3);
    for (int i = 1; i <= 100; i++) {
      latencies.recordValue(1000L * i);
    }
    DemoReport report = report();
    report.prio(new DemoReport.Phase("hadoop-prio", latencies, 0, 10, 80 * MIB));
    report.readAhead(ReadAhead.NEW);
    List<Figure> figures = report.figures();
    assertEquals(2, figures.size());
    assertTrue(figures.get(0).title().endsWith(" on one disk, read-ahead 8192 KiB"));
    for (Figure figure : figures) {
      assertEquals("stock", figure.series().get(0).name());
      assertEquals("hadoop-prio", figure.series().get(1).name());
      assertEquals(Figure.Scale.LINEAR, figure.yScale());
    }
    Figure.Series stock = figures.get(0).series().get(0);
    assertEquals(200, stock.x().get(stock.x().size() - 1), 1);
    Figure.Series prio = figures.get(0).series().get(1);
    assertEquals(100, prio.x().size());
    assertEquals(95, prio.x().get(94), 0.1);
    assertEquals(95, prio.y().get(94), 0.1);
    assertEquals(List.of(100.0), figures.get(1).series().get(0).y());
    assertEquals(List.of(80.0), figures.get(1).series().get(1).y());
    byte[] png = FigureImage.png(figures);
    Path directory = Files.createDirectories(Path.of("target", "figures"));
    Files.write(directory.resolve("demo.png"), png);
  }

  /** A curve over time begins above 0, as a logarithmic axis does, however fast a Get was. */
  @Test
  void aGetOfNoMeasurableTimeCanBeDrawn() {
    Histogram latencies = new Histogram(3);
    latencies.recordValue(0);
    DemoReport report = report();
    report.stock(new DemoReport.Phase("stock", latencies, 0, 1, MIB));
    assertTrue(report.figures().get(0).series().get(0).x().get(0) > 0);
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
