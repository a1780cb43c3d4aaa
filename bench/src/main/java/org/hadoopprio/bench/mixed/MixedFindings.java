package org.hadoopprio.bench.mixed;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.hadoopprio.bench.experiment.CellResult;
import org.hadoopprio.bench.experiment.Estimate;
import org.hadoopprio.bench.experiment.Findings;
import org.hadoopprio.bench.experiment.report.ReportTable;

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
          "p99.9 ms",
          "max ms",
          "background MB/s",
          "its longest wait ms",
          "disk reads per Get",
          "disk busy");

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
        boolean bound = system == MixedSystem.BOUND;
        if (bound == (background == Background.NONE)) {
          Optional<Estimate> mean = results.estimate(load, background, system, MixedTargets.MEAN);
          mean.ifPresent(m -> table.row(row(load, background, system, m.count())));
        }
      }
    }
    return table;
  }

  private List<String> row(GetLoad load, Background background, MixedSystem system, int runs) {
    List<String> row = new ArrayList<>();
    row.add(background.label());
    row.add(system.label());
    row.add(Integer.toString(runs));
    row.add(text(load, background, system, "/gets/per_second", 1));
    for (String figure : new String[] {"mean", "p50", "p95", "p99", "p999", "max"}) {
      row.add(text(load, background, system, "/gets/" + figure + "_ms", 1));
    }
    row.add(text(load, background, system, MixedTargets.BACKGROUND, BYTES_PER_MB));
    row.add(text(load, background, system, "/background/longest_wait_ms", 1));
    row.add(text(load, background, system, "/disk/reads_per_get", 1));
    row.add(text(load, background, system, "/disk/busy_share", PERCENT, " %"));
    return row;
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
        .map(estimate -> number(estimate, unit) + suffix)
        .orElse("");
  }

  private static String number(Estimate estimate, double unit) {
    String mean = number(estimate.mean() / unit);
    return estimate.count() < 2 ? mean : mean + " ± " + number(estimate.halfWidth() / unit);
  }

  /** Three digits are what such a measurement can tell. */
  private static String number(double value) {
    double size = Math.abs(value);
    String format = size >= 100 ? "%.0f" : size >= 10 ? "%.1f" : "%.2f";
    return String.format(Locale.ROOT, format, value);
  }

  private void addNotes(Findings findings) {
    findings.note(
        "A disk read's time is that of a model of a hard disk (vhdd), the rest is real: kernel"
            + " block layer, DataNode, RegionServer and clients. It shows what queueing with such a"
            + " drive does, not what a certain product does.");
    findings.note(
        "Open loop: what a Get waits counts from its arrival, also the time in which no thread of"
            + " the client was free for it. Closed loop: plain YCSB threads.");
    findings.note(
        "Throttling: the only limit of HDFS itself for reads (dfs.datanode.data.read"
            + ".bandwidthPerSec) holds for all of a DataNode's readers, RegionServers too. So the"
            + " background is limited as operators do it: streams at their client, like distcp"
            + " -bandwidth, to about half of what they read otherwise; jobs to one map task at a"
            + " time (mapreduce.job.running.map.limit).");
    findings.note(
        "ionice: all threads of the RegionServer at real-time, the background's processes at idle,"
            + " the DataNode as it is. It is the DataNode that reads the disk, for both, so the"
            + " classes of the others do not reach it.");
    findings.note(
        "Disk reads per Get are counted where Gets' requests can be told from others: with"
            + " priorities by their class, and without any background. A little under 1 means that"
            + " some blocks were in HBase's block cache, which has to have a size.");
    findings.note(
        "A job's throughput is what the disk read beyond the Gets' blocks; a job that ends is"
            + " started again, and the time its start takes counts. Two cores run all daemons, the"
            + " job's tasks and the clients, so beside jobs part of a Get's time is that of the"
            + " processor, with any system.");
    findings.note(
        "Closed loops of 4 threads and more have a real-time request pending nearly always, and the"
            + " limit of real-time's share is switched off here, as in the paper: the background"
            + " stands still. The default limit prevents that; bench starvation shows it.");
  }

  private String summary() {
    GetLoad load = GetLoad.OPEN;
    Background main = MixedPlan.MAIN;
    Optional<Estimate> stock = results.estimate(load, main, MixedSystem.STOCK, MixedTargets.P95);
    Optional<Estimate> full = results.estimate(load, main, MixedSystem.FULL, MixedTargets.P95);
    if (stock.isEmpty() || full.isEmpty()) {
      return results.all().size() + " cells measured, not those of the main gate";
    }
    StringBuilder text = new StringBuilder();
    text.append(
        String.format(
            Locale.ROOT,
            "p95 of Gets beside 16 streams: stock %s ms, hadoop-prio with drive priority %s ms",
            number(stock.get().mean()),
            number(full.get().mean())));
    results
        .estimate(load, main, MixedSystem.BOUND, MixedTargets.P95)
        .ifPresent(b -> text.append(", alone ").append(number(b.mean())).append(" ms"));
    results
        .ratio(load, main, MixedSystem.FULL, MixedSystem.STOCK, MixedTargets.BACKGROUND)
        .ifPresent(
            r ->
                text.append(
                    String.format(Locale.ROOT, "; background keeps %.0f %%", r.mean() / PERCENT)));
    return text.toString();
  }
}
