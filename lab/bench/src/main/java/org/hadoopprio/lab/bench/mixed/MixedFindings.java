// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.lab.bench.mixed;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.hadoopprio.IoPriority;
import org.hadoopprio.hdfs.datanode.scheduler.SchedulerKeys;
import org.hadoopprio.lab.bench.experiment.CellResult;
import org.hadoopprio.lab.bench.experiment.Estimate;
import org.hadoopprio.lab.bench.experiment.Findings;
import org.hadoopprio.lab.bench.experiment.Numbers;
import org.hadoopprio.lab.bench.experiment.report.ReportTable;

/** What follows from the results. */
final class MixedFindings {

  private static final List<String> COLUMNS =
      List.of(
          "background",
          "system",
          "runs",
          "Gets/s",
          "mean ms",
          "p50 ms",
          "p95 ms",
          "p99 ms",
          "max ms",
          "background MB/s",
          "its longest wait ms",
          "disk reads per Get",
          "disk busy");

  private static final List<String> PREDICTED_COLUMNS =
      List.of(
          "Gets",
          "background",
          "system",
          "priority",
          "predicted p99 ms",
          "measured p99 ms",
          "error",
          "predicted background MB/s",
          "measured background MB/s",
          "error");

  private static final double BYTES_PER_MB = 1e6;
  private static final double PERCENT = 0.01;

  private final MixedResults results;

  MixedFindings(List<CellResult> results) {
    this.results = new MixedResults(results);
  }

  Findings findings() {
    Findings findings = new Findings();
    MixedTargets.of(results).forEach(findings::add);
    results.all().forEach(result -> addInvalid(findings, result));
    MixedFigures.of(results).forEach(findings::add);
    results.loads().forEach(load -> findings.add(table(load)));
    StreamsBound.addTable(findings, results);
    addPredictions(findings);
    addNotes(findings);
    return findings.summary(summary());
  }

  private static void addInvalid(Findings findings, CellResult result) {
    if (!result.measured().has("gate")) {
      findings.invalid(result.cell() + ": not measured on a virtual disk");
    }
    findings.requireGate(result);
    long failures = result.measured().at("/gets/failures").asLong();
    if (failures > 0) {
      findings.invalid(result.cell() + ": " + failures + " Gets failed");
    }
  }

  private ReportTable table(GetLoad load) {
    ReportTable table = new ReportTable("Gets, " + load.label(), COLUMNS);
    for (Background background : results.backgrounds(load)) {
      for (MixedSystem system : MixedSystem.values()) {
        boolean bound = system.alone();
        if (bound == (background == Background.NONE)) {
          String figure = system.hasGets() ? MixedTargets.MEAN : MixedTargets.BACKGROUND;
          results
              .estimate(load, background, system, figure)
              .ifPresent(found -> table.row(row(load, background, system, found.count())));
        }
      }
    }
    return table;
  }

  /** Adds what hprio admit predicts, if the DataNodes have measured enough for it. */
  private void addPredictions(Findings findings) {
    ReportTable table = new ReportTable("Predicted and measured", PREDICTED_COLUMNS);
    for (GetLoad load : results.loads()) {
      for (Background background : results.backgrounds(load)) {
        for (MixedSystem system : CellPrediction.SYSTEMS) {
          addPredictions(table, load, background, system);
        }
      }
    }
    if (!table.rows().isEmpty()) {
      findings.add(table);
      findings.note(
          "Predicted: by the code of hprio admit, from the times that the DataNode has measured in"
              + " the same cell. The prediction is of the time in the DataNode; what is measured"
              + " includes the RegionServer, the network and the client.");
    }
  }

  private void addPredictions(
      ReportTable table, GetLoad load, Background background, MixedSystem system) {
    List<Optional<IoPriority>> priorities = system.getPriorities();
    for (int i = 0; i < priorities.size(); i++) {
      String predicted = "/predicted/classes/" + i + "/p99_ms";
      if (results.estimate(load, background, system, predicted).isPresent()) {
        String measured = priorities.size() == 1 ? MixedTargets.P99 : "/levels/" + i + "/p99_ms";
        List<String> row = new ArrayList<>();
        row.add(load.label());
        row.add(background.label());
        row.add(system.label());
        row.add(priorities.get(i).map(IoPriority::toString).orElse("-"));
        row.addAll(compared(load, background, system, predicted, measured, 1));
        String rate = "/predicted/background_bytes_per_second";
        row.addAll(compared(load, background, system, rate, MixedTargets.BACKGROUND, BYTES_PER_MB));
        table.row(row);
      }
    }
  }

  /** What was predicted, what was measured, and what part of that the prediction is away. */
  private List<String> compared(
      GetLoad load,
      Background background,
      MixedSystem system,
      String predicted,
      String measured,
      double unit) {
    double error =
        mean(load, background, system, predicted) / mean(load, background, system, measured) - 1;
    return List.of(
        text(load, background, system, predicted, unit),
        text(load, background, system, measured, unit),
        String.format(Locale.ROOT, "%+.0f %%", error / PERCENT));
  }

  private double mean(GetLoad load, Background background, MixedSystem system, String path) {
    return results.estimate(load, background, system, path).map(Estimate::mean).orElse(Double.NaN);
  }

  private List<String> row(GetLoad load, Background background, MixedSystem system, int runs) {
    List<String> row = new ArrayList<>();
    row.add(background.label());
    row.add(system.label());
    row.add(Integer.toString(runs));
    row.add(text(load, background, system, "/gets/per_second", 1));
    row.add(text(load, background, system, MixedTargets.MEAN, 1));
    for (int percent : new int[] {50, 95, 99}) {
      row.add(percentile(load, background, system, percent));
    }
    row.add(text(load, background, system, "/gets/max_ms", 1));
    row.add(text(load, background, system, MixedTargets.BACKGROUND, BYTES_PER_MB));
    row.add(text(load, background, system, MixedTargets.LONGEST_WAIT, 1));
    row.add(text(load, background, system, "/disk/reads_per_get", 1));
    row.add(text(load, background, system, "/disk/busy_share", PERCENT, " %"));
    return row;
  }

  private String percentile(GetLoad load, Background background, MixedSystem system, int percent) {
    double gets =
        results.estimate(load, background, system, "/gets/count").map(Estimate::mean).orElse(0.0);
    return Numbers.isKnown(percent, gets)
        ? text(load, background, system, "/gets/p" + percent + "_ms", 1)
        : "-";
  }

  private String text(
      GetLoad load, Background background, MixedSystem system, String path, double unit) {
    return text(load, background, system, path, unit, "");
  }

  private String text(
      GetLoad load,
      Background background,
      MixedSystem system,
      String path,
      double unit,
      String suffix) {
    return results
        .estimate(load, background, system, path)
        .map(estimate -> estimate.times(1 / unit).plusMinus() + suffix)
        .orElse("");
  }

  private void addNotes(Findings findings) {
    findings.note(
        "The time of a disk read comes from a model of a hard disk (vhdd); the kernel's block layer,"
            + " DataNode, RegionServer and clients are real. The results show the effect of queueing"
            + " with such a drive, not the performance of a product.");
    findings.note(
        "Open loop: the latency of a Get counts from its arrival and includes the time in which no"
            + " thread of the client was free.");
    findings.note(
        "Throttling: the only read limit of HDFS itself (dfs.datanode.data.read"
            + ".bandwidthPerSec) applies to all readers of a DataNode, including RegionServers. The"
            + " background is therefore limited as operators do it: streams at their client, like"
            + " distcp -bandwidth, to about half of what they read otherwise; jobs to one map task at"
            + " a time (mapreduce.job.running.map.limit).");
    findings.note(
        "ionice: all threads of the RegionServer run at real-time, the background's processes at"
            + " idle. It is measured with short circuit only: otherwise the DataNode reads the disk"
            + " for both, and the classes of the other processes do not reach it.");
    findings.note(
        "Classes only: the DataNode hands the classes to the kernel and schedules nothing itself ("
            + SchedulerKeys.MODE.name()
            + " = order).");
    findings.note(
        "Disk reads per Get are counted if the requests of Gets can be told from others: by their"
            + " class with priorities, and always without background. A value slightly below 1 means"
            + " that some blocks were in HBase's block cache, whose size cannot be 0.");
    findings.note(
        "The throughput of a job is what the disk read beyond the blocks of the Gets. A job that"
            + " ends is started again, and the time of its start counts. All daemons, the tasks of"
            + " the job and the clients share the processors, so beside jobs a part of each Get's"
            + " latency is a wait for a processor, with any system.");
  }

  private String summary() {
    GetLoad load = GetLoad.OPEN;
    Background main = MixedPlan.MAIN;
    Optional<Estimate> stock = results.estimate(load, main, MixedSystem.STOCK, MixedTargets.P95);
    Optional<Estimate> full = results.estimate(load, main, MixedSystem.FULL, MixedTargets.P95);
    if (stock.isEmpty() || full.isEmpty()) {
      return results.all().size() + " cells of a chosen part measured";
    }
    StringBuilder text = new StringBuilder();
    text.append(
        String.format(
            Locale.ROOT,
            "p95 of Gets beside 16 streams: stock %s ms, hadoop-prio with drive priority %s ms",
            Numbers.threeDigits(stock.get().mean()),
            Numbers.threeDigits(full.get().mean())));
    results
        .estimate(load, main, MixedSystem.BOUND, MixedTargets.P95)
        .ifPresent(
            b -> text.append(", alone ").append(Numbers.threeDigits(b.mean())).append(" ms"));
    results
        .ratio(load, main, MixedSystem.FULL, MixedSystem.STOCK, MixedTargets.BACKGROUND)
        .ifPresent(
            r ->
                text.append(
                    String.format(
                        Locale.ROOT, "; background %.0f %% of stock's", r.mean() / PERCENT)));
    return text.toString();
  }
}
