package org.hadoopprio.bench.starvation;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.hadoopprio.bench.experiment.CellResult;
import org.hadoopprio.bench.experiment.Estimate;
import org.hadoopprio.bench.experiment.Findings;
import org.hadoopprio.bench.experiment.Numbers;
import org.hadoopprio.bench.experiment.Target;
import org.hadoopprio.bench.experiment.report.Figure;
import org.hadoopprio.bench.experiment.report.ReportTable;

/** What follows from the measurements. For one use. */
final class StarvationFindings {

  static final String BACKGROUND_MB = "/background/mb_per_s";
  static final String LONGEST_WAIT = "/background/longest_wait_ms";
  static final String P95 = "/realtime/p95_ms";
  static final String MEAN = "/realtime/mean_ms";
  static final String READS_PER_S = "/realtime/reads_per_s";

  /** The least share of its stock throughput that the background keeps. */
  static final double LEAST_BACKGROUND = 0.25;

  /** The most that background makes the 95th percentile of real-time reads longer. */
  static final double MOST_LATENCY = 2;

  private static final String SOURCE = "target of the project";

  private final StarvationPlan plan;
  private final List<CellResult> results;
  private final Findings findings = new Findings();

  StarvationFindings(StarvationPlan plan, List<CellResult> results) {
    this.plan = plan;
    this.results = results;
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
            + " KiB. In the open loop its latency counts from the time it was due at; at 100 % of"
            + " what the disk can do alone, waiting grows as long as the load lasts, with and"
            + " without background.");
    findings.note(
        "The longest wait is that of one read call of a stream, of up to 128 KiB; one that has"
            + " begun before the measured time counts from its begin.");
    return findings;
  }

  private void addGates() {
    results.forEach(findings::requireGate);
  }

  private void addTargets(RealtimeLoad load) {
    ReaderSystem share = plan.defaultSystem();
    findings.add(
        Target.of(
            "background beside " + load.label() + ", " + share.label() + " / stock",
            Target.Bound.AT_LEAST,
            LEAST_BACKGROUND,
            ratio(BACKGROUND_MB, load, share, ReaderSystem.stock()),
            SOURCE));
    findings.add(
        Target.of(
            "p95 of " + load.label() + ", " + share.label() + " / bound",
            Target.Bound.AT_MOST,
            MOST_LATENCY,
            ratio(P95, load, share, ReaderSystem.bound()),
            SOURCE));
  }

  private OptionalDouble ratio(
      String path, RealtimeLoad load, ReaderSystem system, ReaderSystem reference) {
    Optional<Estimate> value = estimate(path, load, system);
    Optional<Estimate> base = estimate(path, load, reference);
    return value.isPresent() && base.isPresent() && base.get().mean() > 0
        ? OptionalDouble.of(value.get().mean() / base.get().mean())
        : OptionalDouble.empty();
  }

  /** The mean over the repetitions; empty where it was not measured. */
  private Optional<Estimate> estimate(String path, RealtimeLoad load, ReaderSystem system) {
    List<Double> values =
        results.stream()
            .filter(result -> StarvationPlan.load(result.cell()).equals(load))
            .filter(result -> plan.system(result.cell()).equals(system))
            .filter(result -> result.measured().at(path).isNumber())
            .map(result -> result.number(path))
            .collect(Collectors.toList());
    return values.isEmpty() ? Optional.empty() : Optional.of(Estimate.of(values));
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
      List<Double> x = new ArrayList<>();
      List<Double> y = new ArrayList<>();
      List<Double> error = new ArrayList<>();
      if (system.background()) {
        addPoint(
            RealtimeLoad.NONE,
            estimate(path, RealtimeLoad.NONE, ReaderSystem.stock()),
            x,
            y,
            error);
      }
      int withoutLoad = x.size();
      for (RealtimeLoad load : axis.loads) {
        addPoint(load, estimate(path, load, system), x, y, error);
      }
      if (x.size() > withoutLoad) {
        figure.series(system.label(), x, y, error);
      }
    }
    if (!figure.series().isEmpty()) {
      findings.add(figure);
    }
  }

  private static void addPoint(
      RealtimeLoad load,
      Optional<Estimate> estimate,
      List<Double> x,
      List<Double> y,
      List<Double> error) {
    if (estimate.isPresent()) {
      x.add((double) load.amount());
      y.add(estimate.get().mean());
      error.add(estimate.get().halfWidth());
    }
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
    Function<String, String> value =
        path -> text(estimate(path, load, system).map(Estimate::mean).orElse(Double.NaN));
    List<String> row =
        List.of(
            load.label(),
            system.label(),
            value.apply(READS_PER_S),
            value.apply(MEAN),
            value.apply(P95),
            text(ratio(P95, load, system, ReaderSystem.bound()).orElse(Double.NaN)),
            value.apply(BACKGROUND_MB),
            text(ratio(BACKGROUND_MB, load, system, ReaderSystem.stock()).orElse(Double.NaN)),
            value.apply(LONGEST_WAIT));
    if (row.subList(2, row.size()).stream().anyMatch(cell -> !cell.isEmpty())) {
      table.row(row);
    }
  }

  private static String text(double value) {
    return Double.isNaN(value) ? "" : Numbers.text(value);
  }

  private void addSummary() {
    OptionalDouble least = OptionalDouble.empty();
    OptionalDouble most = OptionalDouble.empty();
    for (Target target : findings.targets()) {
      if (target.measured().isPresent()) {
        double value = target.measured().getAsDouble();
        if (target.bound() == Target.Bound.AT_LEAST) {
          least = OptionalDouble.of(Math.min(value, least.orElse(value)));
        } else {
          most = OptionalDouble.of(Math.max(value, most.orElse(value)));
        }
      }
    }
    if (least.isPresent() && most.isPresent()) {
      findings.summary(
          String.format(
              Locale.ROOT,
              "beside closed-loop real-time reads the background keeps %.2f of its stock"
                  + " throughput or more, and their p95 is at most %.2fx the bound (%s)",
              least.getAsDouble(),
              most.getAsDouble(),
              plan.defaultSystem().label()));
    }
  }
}
