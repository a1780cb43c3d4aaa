// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.lab.bench.device;

import static org.hadoopprio.lab.bench.device.DevicePlan.DEPTHS;
import static org.hadoopprio.lab.bench.device.DevicePlan.DRIVE;
import static org.hadoopprio.lab.bench.device.DevicePlan.HIGH_PERCENTS;
import static org.hadoopprio.lab.bench.device.DevicePlan.alone;
import static org.hadoopprio.lab.bench.device.DevicePlan.share;
import static org.hadoopprio.lab.bench.device.DeviceResults.ALL;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.stream.Stream;
import org.hadoopprio.lab.bench.experiment.Findings;
import org.hadoopprio.lab.bench.experiment.Series;
import org.hadoopprio.lab.bench.experiment.report.Figure;
import org.hadoopprio.lab.bench.experiment.report.ReportTable;

/** Throughput and latency over queue depth, and over the share of high priority. */
final class DeviceCurves {

  private final DeviceResults results;
  private final Findings findings;

  private DeviceCurves(DeviceResults results, Findings findings) {
    this.results = results;
    this.findings = findings;
  }

  static void addTo(Findings findings, DeviceResults results) {
    DeviceCurves part = new DeviceCurves(results, findings);
    part.addDepth();
    part.addShare();
  }

  private void addDepth() {
    Figure iops =
        Figure.lines("depth-iops", "Random reads of 128 KiB", "queue depth", "IOPS")
            .logX()
            .caption(
                "Throughput over queue depth, one kind of request, scheduler none, beside the"
                    + " published numbers.");
    addDepthSeries(iops, "virtual disk", "/iops");
    addPublishedSeries(iops, "published (SDC 2021)", "128 KiB random reads, QD%d");
    Series.addIfDrawn(findings, iops);
    Figure latency =
        Figure.lines("depth-latency", "Random reads of 128 KiB", "queue depth", "latency [ms]")
            .logX()
            .logY()
            .caption("Latency over queue depth, one kind of request, scheduler none.");
    addDepthSeries(latency, "mean", "/mean_ms");
    addDepthSeries(latency, "p99", "/p99_ms");
    addPublishedSeries(latency, "p99, published (SDC 2021)", "128 KiB random reads, QD%d, p99");
    Series.addIfDrawn(findings, latency);
    ReportTable table =
        new ReportTable(
            "Queue depth", List.of("queue depth", "IOPS", "mean ms", "p50", "p95", "p99", "p99.9"));
    for (int depth : DEPTHS) {
      List<String> row = new ArrayList<>(List.of(Integer.toString(depth)));
      for (String name : List.of("iops", "mean_ms", "p50_ms", "p95_ms", "p99_ms", "p99.9_ms")) {
        row.add(results.text(alone(depth), ALL + "/" + name));
      }
      table.row(row);
    }
    findings.add(table);
  }

  private void addDepthSeries(Figure figure, String name, String pointer) {
    Series.addPoints(
        figure,
        name,
        DEPTHS,
        DEPTHS.stream().map(depth -> results.estimate(alone(depth), ALL + pointer)));
  }

  /**
   * A point for each number with which one of the rows' names matches.
   *
   * @param what a pattern, once the number is filled in
   */
  private void addPublishedSeries(Figure figure, String name, String what) {
    List<Double> x = new ArrayList<>();
    List<Double> y = new ArrayList<>();
    for (int number : figure.id().startsWith("share") ? HIGH_PERCENTS : DEPTHS) {
      for (PublishedRow row : results.published()) {
        if (row.what.matches(String.format(what, number))) {
          x.add((double) number);
          y.add(row.published);
        }
      }
    }
    if (!x.isEmpty()) {
      figure.series(name, x, y, Collections.nCopies(x.size(), 0.0));
    }
  }

  private void addShare() {
    Figure figure =
        Figure.lines(
                "share-iops",
                "Queue depth 32 with a share of high priority",
                "requests of high priority [%]",
                "IOPS")
            .caption(
                "Throughput of all requests. The model loses more to priorities at 30 and 40 %"
                    + " than the published drive where the table says that it is not reproduced.");
    Series.addPoints(
        figure,
        "virtual disk, priority",
        HIGH_PERCENTS,
        HIGH_PERCENTS.stream().map(p -> results.estimate(share(DRIVE, p), ALL + "/iops")));
    addPublishedSeries(figure, "published, priority", "NCQ priority, %d %% high");
    Series.addPoints(
        figure,
        "virtual disk, duration limit",
        List.of(30, 40),
        Stream.of(LimitedReads.SDC21_THIRTY, LimitedReads.SDC21_FORTY)
            .map(reads -> reads.iops().estimate(results, value -> value)));
    addPublishedSeries(figure, "published, duration limit", "CDL, %d %% with .*");
    Series.addIfDrawn(findings, figure);
    ReportTable table =
        new ReportTable(
            "Share of high priority at queue depth 32",
            List.of("high %", "IOPS", "high: mean ms", "p99", "rest: mean ms", "p99"));
    for (int percent : HIGH_PERCENTS) {
      addShareRow(table, percent);
    }
    findings.add(table);
  }

  private void addShareRow(ReportTable table, int percent) {
    List<String> row = new ArrayList<>(List.of(Integer.toString(percent)));
    for (String pointer :
        List.of(
            "/iops",
            "/classes/rt/mean_ms",
            "/classes/rt/p99_ms",
            "/classes/none/mean_ms",
            "/classes/none/p99_ms")) {
      row.add(results.text(share(DRIVE, percent), ALL + pointer));
    }
    table.row(row);
  }
}
