package org.hadoopprio.lab.bench.starvation;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.hadoopprio.lab.bench.experiment.CellResult;
import org.hadoopprio.lab.bench.experiment.Estimate;
import org.hadoopprio.lab.bench.experiment.Findings;
import org.hadoopprio.lab.bench.experiment.Results;
import org.hadoopprio.lab.bench.experiment.Series;
import org.hadoopprio.lab.bench.experiment.Target;
import org.hadoopprio.lab.bench.experiment.report.Figure;
import org.hadoopprio.lab.bench.experiment.report.ReportTable;

/** What follows from the measurements. For one use. */
final class StarvationFindings {

  static final String BACKGROUND_MB = "/background/mb_per_s";
  static final String LONGEST_WAIT = "/background/longest_wait_ms";
  static final String P95 = "/realtime/p95_ms";
  static final String MEAN = "/realtime/mean_ms";
  static final String READS_PER_S = "/realtime/reads_per_s";

  /** The share of its stock throughput that the background must keep. */
  static final double MIN_BACKGROUND = 0.25;

  /** By what factor background may raise the 95th percentile of real-time reads. */
  static final double MAX_LATENCY = 2;

  private static final String SOURCE = "target of the project";

  private final StarvationPlan plan;
  private final Results results;
  private final Findings findings = new Findings();

  StarvationFindings(StarvationPlan plan, List<CellResult> results) {
    this.plan = plan;
    this.results = new Results(results);
  }

  Findings draw() {
    addGates();
    for (RealtimeLoad load : StarvationPlan.CLOSED) {
      addTargets(load);
    }
    List<Axis> axes =
        List.of(
            new Axis("closed", "closed loop", "threads", StarvationPlan.CLOSED),
            new Axis("open", "open loop", "real-time demand in % of the disk", plan.open()));
    for (Axis axis : axes) {
      addFigures(axis);
    }
    for (Axis axis : axes) {
      addTable(axis);
    }
    addSummary();
    findings.note(
        "Every read of the real-time client is a positioned read of one place: "
            + StarvationBed.READ_BYTES / 1024
            + " KiB. In the open loop, latency counts from the time at which the read was due; at"
            + " 100 % of what the disk can do alone, the wait grows as long as the load lasts,"
            + " with and without background.");
    findings.note(
        "The longest wait is that of one read call of a stream, of up to 128 KiB; a call that"
            + " started before the measured time counts from its start.");
    return findings;
  }

  private void addGates() {
    results.all().forEach(findings::requireGate);
  }

  private void addTargets(RealtimeLoad load) {
    ReaderSystem share = plan.defaultSystem();
    findings.add(
        Target.of(
            "background beside " + load.label() + ", " + share.label() + " / stock",
            Target.Bound.AT_LEAST,
            MIN_BACKGROUND,
            ratio(BACKGROUND_MB, load, share, ReaderSystem.stock()),
            SOURCE));
    findings.add(
        Target.of(
            "p95 of " + load.label() + ", " + share.label() + " / bound",
            Target.Bound.AT_MOST,
            MAX_LATENCY,
            ratio(P95, load, share, ReaderSystem.bound()),
            SOURCE));
  }

  private Optional<Estimate> ratio(
      String path, RealtimeLoad load, ReaderSystem system, ReaderSystem reference) {
    return of(load, system).ratio(of(load, reference), path);
  }

  /** The mean over the repetitions; empty where it was not measured. */
  private Optional<Estimate> estimate(String path, RealtimeLoad load, ReaderSystem system) {
    return of(load, system).estimate(path);
  }

  private Results of(RealtimeLoad load, ReaderSystem system) {
    return results.of(
        cell -> StarvationPlan.load(cell).equals(load) && plan.system(cell).equals(system));
  }

  /** Loads of one kind, the x axis of figures. */
  private static final class Axis {

    private final String id;
    private final String title;
    private final String label;
    private final List<RealtimeLoad> loads;

    private Axis(String id, String title, String label, List<RealtimeLoad> loads) {
      this.id = id;
      this.title = title;
      this.label = label;
      this.loads = loads;
    }
  }

  private void addFigures(Axis axis) {
    addFigure(
        axis,
        BACKGROUND_MB,
        Figure.lines(
            "background-" + axis.id,
            "Background throughput beside real-time reads, " + axis.title,
            axis.label,
            "MB/s"));
    addFigure(
        axis,
        LONGEST_WAIT,
        Figure.lines(
                "longest-wait-" + axis.id,
                "The background's longest wait, " + axis.title,
                axis.label,
                "ms")
            .logY());
    addFigure(
        axis,
        P95,
        Figure.lines(
                "p95-" + axis.id,
                "95th percentile of real-time reads, " + axis.title,
                axis.label,
                "ms")
            .logY());
  }

  private void addFigure(Axis axis, String path, Figure figure) {
    for (ReaderSystem system : plan.systems()) {
      if (axis.loads.stream().anyMatch(load -> estimate(path, load, system).isPresent())) {
        List<RealtimeLoad> loads = new ArrayList<>(axis.loads);
        if (system.background()) {
          // Without real-time reads, all systems are stock.
          loads.add(0, RealtimeLoad.NONE);
        }
        Series.addPoints(
            figure,
            system.label(),
            loads.stream().map(RealtimeLoad::amount).collect(Collectors.toList()),
            loads.stream()
                .map(
                    load ->
                        estimate(
                            path,
                            load,
                            load.equals(RealtimeLoad.NONE) ? ReaderSystem.stock() : system)));
      }
    }
    Series.addIfDrawn(findings, figure);
  }

  private void addTable(Axis axis) {
    ReportTable table =
        new ReportTable(
            "Real-time reads and background, " + axis.title,
            List.of(
                "real-time load",
                "system",
                "reads/s",
                "mean ms",
                "p95 ms",
                "p95 / bound",
                "background MB/s",
                "background / stock",
                "longest wait ms"));
    List<RealtimeLoad> loads = new ArrayList<>(List.of(RealtimeLoad.NONE));
    loads.addAll(axis.loads);
    for (RealtimeLoad load : loads) {
      for (ReaderSystem system : plan.systems()) {
        addRow(table, load, system);
      }
    }
    findings.add(table);
  }

  private void addRow(ReportTable table, RealtimeLoad load, ReaderSystem system) {
    Function<String, String> value = path -> text(estimate(path, load, system));
    List<String> row =
        List.of(
            load.label(),
            system.label(),
            value.apply(READS_PER_S),
            value.apply(MEAN),
            value.apply(P95),
            text(ratio(P95, load, system, ReaderSystem.bound())),
            value.apply(BACKGROUND_MB),
            text(ratio(BACKGROUND_MB, load, system, ReaderSystem.stock())),
            value.apply(LONGEST_WAIT));
    if (row.subList(2, row.size()).stream().anyMatch(cell -> !cell.isEmpty())) {
      table.row(row);
    }
  }

  private static String text(Optional<Estimate> value) {
    return value.map(Estimate::plusMinus).orElse("");
  }

  private void addSummary() {
    OptionalDouble min = OptionalDouble.empty();
    OptionalDouble max = OptionalDouble.empty();
    for (Target target : findings.targets()) {
      if (target.measured().isPresent()) {
        double value = target.measured().getAsDouble();
        if (target.bound() == Target.Bound.AT_LEAST) {
          min = OptionalDouble.of(Math.min(value, min.orElse(value)));
        } else {
          max = OptionalDouble.of(Math.max(value, max.orElse(value)));
        }
      }
    }
    if (min.isPresent() && max.isPresent()) {
      findings.summary(
          String.format(
              Locale.ROOT,
              "beside closed-loop real-time reads, the background keeps at least %.2f of its stock"
                  + " throughput, and the p95 of the reads is at most %.2fx the bound (%s)",
              min.getAsDouble(),
              max.getAsDouble(),
              plan.defaultSystem().label()));
    }
  }
}
