// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.lab.bench.device;

import static org.hadoopprio.lab.bench.device.DevicePlan.DRIVE;
import static org.hadoopprio.lab.bench.device.DevicePlan.HOST;
import static org.hadoopprio.lab.bench.device.DevicePlan.MQ_DEADLINE;
import static org.hadoopprio.lab.bench.device.DevicePlan.NONE;
import static org.hadoopprio.lab.bench.device.DevicePlan.PRIORITY;
import static org.hadoopprio.lab.bench.device.DevicePlan.SCHEDULER;
import static org.hadoopprio.lab.bench.device.DevicePlan.SIM;
import static org.hadoopprio.lab.bench.device.DevicePlan.STOCK;
import static org.hadoopprio.lab.bench.device.DevicePlan.TAIL;
import static org.hadoopprio.lab.bench.device.DevicePlan.load;
import static org.hadoopprio.lab.bench.device.DeviceResults.BACKGROUND;
import static org.hadoopprio.lab.bench.device.DeviceResults.FOREGROUND;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.hadoopprio.lab.bench.experiment.Estimate;
import org.hadoopprio.lab.bench.experiment.Findings;
import org.hadoopprio.lab.bench.experiment.Series;
import org.hadoopprio.lab.bench.experiment.Target;
import org.hadoopprio.lab.bench.experiment.report.Figure;
import org.hadoopprio.lab.bench.experiment.report.ReportTable;

/** The tail of a foreground beside a full queue, in virtual time and on the device. */
final class DeviceTail {

  /** How many times lower the 99.99th percentile must be, at least. */
  private static final double MIN_TAIL_RATIO = 10;

  /** The device has some hundred samples of the foreground, which give its p99 to about 20 %. */
  private static final double MIN_AGREEMENT = 0.75;

  private final DeviceResults results;
  private final Findings findings;

  private DeviceTail(DeviceResults results, Findings findings) {
    this.results = results;
    this.findings = findings;
  }

  static void addTo(Findings findings, DeviceResults results) {
    DeviceTail part = new DeviceTail(results, findings);
    part.addTargets();
    part.addFigure();
  }

  private void addTargets() {
    String source = "IOPriority (2017): 1.4 s to 81 ms";
    Optional<Estimate> simulated =
        results.ratio(load(SIM, NONE, HOST), load(SIM, NONE, DRIVE), "/p99.99_ms");
    findings.add(
        Target.of(
            "foreground QD1 beside QD32, scheduler none, virtual time: p99.99 without drive"
                + " priority / with",
            Target.Bound.AT_LEAST,
            MIN_TAIL_RATIO,
            simulated,
            source));
    Optional<Estimate> device =
        results.ratio(load(TAIL, NONE, HOST), load(TAIL, NONE, DRIVE), "/p99_ms");
    Optional<Estimate> model =
        results.ratio(load(SIM, NONE, HOST), load(SIM, NONE, DRIVE), "/p99_ms");
    findings.add(
        Target.of(
            "the same on the device, p99: that ratio / the one in virtual time",
            Target.Bound.AT_LEAST,
            MIN_AGREEMENT,
            model.flatMap(m -> device.map(d -> d.times(1 / m.mean()))),
            "confirms the one above"));
    findings.add(
        Target.of(
                "the same on the device, p99 without drive priority / with",
                Target.Bound.AT_LEAST,
                MIN_TAIL_RATIO,
                device,
                source)
            .reportedOnly());
    findings.add(
        Target.of(
                "mq-deadline, virtual time: p99.99 of stock / with drive priority",
                Target.Bound.AT_LEAST,
                MIN_TAIL_RATIO,
                results.ratio(
                    load(SIM, MQ_DEADLINE, STOCK), load(SIM, MQ_DEADLINE, DRIVE), "/p99.99_ms"),
                "for comparison")
            .reportedOnly());
    findings.add(
        Target.of(
                "mq-deadline, virtual time: p99.99 with the host's priority alone / with drive"
                    + " priority",
                Target.Bound.AT_LEAST,
                1,
                results.ratio(
                    load(SIM, MQ_DEADLINE, HOST), load(SIM, MQ_DEADLINE, DRIVE), "/p99.99_ms"),
                "for comparison")
            .reportedOnly());
  }

  private void addFigure() {
    List<String> percentiles = List.of("p50", "p95", "p99", "p99.9", "p99.99");
    Figure figure =
        Figure.bars(
                "tail",
                "Foreground at queue depth 1 beside a background at 32",
                "percentile",
                "latency [ms]",
                percentiles)
            .logY()
            .caption(
                "Latency in virtual time, "
                    + DeviceExperiment.SIM_SAMPLES
                    + " reads each. Stock: no priority. Host: the foreground is real-time, the"
                    + " drive knows no priority. Drive: the drive takes real-time first.");
    ReportTable table =
        new ReportTable(
            "The tail in virtual time and on the device",
            List.of(
                "scheduler",
                "priority",
                "where",
                "reads",
                "mean ms",
                "p95",
                "p99",
                "p99.9",
                "p99.99",
                "foreground IOPS",
                "background IOPS"));
    for (String scheduler : List.of(NONE, MQ_DEADLINE)) {
      for (String priority : List.of(STOCK, HOST, DRIVE)) {
        Map<String, String> combination = load(SIM, scheduler, priority);
        Series.addBars(
            figure,
            scheduler + ", " + priority,
            percentiles.stream()
                .map(name -> results.estimate(combination, FOREGROUND + "/" + name + "_ms")));
        addRow(table, combination, "virtual time");
        addRow(table, load(TAIL, scheduler, priority), "device");
      }
    }
    Series.addIfDrawn(findings, figure);
    findings.add(table);
  }

  private void addRow(ReportTable table, Map<String, String> combination, String where) {
    if (results.mean(combination, FOREGROUND + "/n").isEmpty()) {
      return;
    }
    boolean simulated = combination.containsValue(SIM);
    List<String> row = new ArrayList<>();
    row.addAll(List.of(combination.get(SCHEDULER), combination.get(PRIORITY), where));
    for (String name : List.of("n", "mean_ms", "p95_ms", "p99_ms", "p99.9_ms")) {
      row.add(results.text(combination, FOREGROUND + "/" + name));
    }
    row.add(simulated ? results.text(combination, FOREGROUND + "/p99.99_ms") : "");
    row.add(results.text(combination, FOREGROUND + "/iops"));
    row.add(results.text(combination, BACKGROUND + "/iops"));
    table.row(row);
  }
}
