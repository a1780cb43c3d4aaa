// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.lab.bench.device;

import static org.hadoopprio.lab.bench.device.DevicePlan.BOUND;
import static org.hadoopprio.lab.bench.device.DevicePlan.DRIVE;
import static org.hadoopprio.lab.bench.device.DevicePlan.HOST;
import static org.hadoopprio.lab.bench.device.DevicePlan.MQ_DEADLINE;
import static org.hadoopprio.lab.bench.device.DevicePlan.OPEN;
import static org.hadoopprio.lab.bench.device.DevicePlan.PRIORITY;
import static org.hadoopprio.lab.bench.device.DevicePlan.SCHEDULER;
import static org.hadoopprio.lab.bench.device.DevicePlan.SCHEDULERS;
import static org.hadoopprio.lab.bench.device.DevicePlan.STOCK;
import static org.hadoopprio.lab.bench.device.DevicePlan.load;
import static org.hadoopprio.lab.bench.device.DeviceResults.BACKGROUND;
import static org.hadoopprio.lab.bench.device.DeviceResults.FOREGROUND;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.hadoopprio.lab.bench.experiment.Findings;
import org.hadoopprio.lab.bench.experiment.Series;
import org.hadoopprio.lab.bench.experiment.report.Figure;
import org.hadoopprio.lab.bench.experiment.report.ReportTable;

/** An open-loop foreground beside a background at queue depth 32. */
final class DeviceForeground {

  private final DeviceResults results;
  private final Findings findings;

  private DeviceForeground(DeviceResults results, Findings findings) {
    this.results = results;
    this.findings = findings;
  }

  static void addTo(Findings findings, DeviceResults results) {
    DeviceForeground part = new DeviceForeground(results, findings);
    part.addOpen();
  }

  private void addOpen() {
    List<Map<String, String>> combinations = new ArrayList<>();
    combinations.add(load(OPEN, MQ_DEADLINE, STOCK));
    for (String scheduler : SCHEDULERS) {
      combinations.add(load(OPEN, scheduler, HOST));
      combinations.add(load(OPEN, scheduler, DRIVE));
    }
    combinations.add(load(OPEN, MQ_DEADLINE, BOUND));
    List<Map<String, String>> there =
        combinations.stream()
            .filter(combination -> results.mean(combination, FOREGROUND + "/n").isPresent())
            .collect(Collectors.toList());
    ReportTable table =
        new ReportTable(
            "Open-loop foreground beside a background at queue depth 32",
            List.of(
                "scheduler",
                "priority",
                "foreground: IOPS",
                "mean ms",
                "p95",
                "p99",
                "max",
                "background: IOPS"));
    for (Map<String, String> combination : there) {
      List<String> row =
          new ArrayList<>(List.of(combination.get(SCHEDULER), combination.get(PRIORITY)));
      for (String name : List.of("iops", "mean_ms", "p95_ms", "p99_ms", "max_ms")) {
        row.add(results.text(combination, FOREGROUND + "/" + name));
      }
      row.add(
          combination.containsValue(BOUND) ? "" : results.text(combination, BACKGROUND + "/iops"));
      table.row(row);
    }
    findings.add(table);
    if (there.isEmpty()) {
      return;
    }
    Figure figure =
        Figure.bars(
                "open",
                "Open-loop foreground beside a background at 32",
                "scheduler, priority",
                "latency [ms]",
                there.stream()
                    .map(c -> c.get(SCHEDULER) + ", " + c.get(PRIORITY))
                    .collect(Collectors.toList()))
            .logY()
            .caption(
                "A Poisson process of "
                    + DeviceExperiment.OPEN_RATE
                    + " reads per second. Stock: no priority. Host: the foreground is real-time,"
                    + " the drive knows no priority. Drive: the drive takes real-time first."
                    + " Bound: no background.");
    for (String name : List.of("mean", "p95", "p99")) {
      Series.addBars(
          figure,
          name,
          there.stream().map(c -> results.estimate(c, FOREGROUND + "/" + name + "_ms")));
    }
    Series.addIfDrawn(findings, figure);
  }
}
