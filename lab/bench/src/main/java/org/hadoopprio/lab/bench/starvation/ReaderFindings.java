// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.lab.bench.starvation;

import static org.hadoopprio.lab.bench.starvation.Comparisons.BACKGROUND_MB;
import static org.hadoopprio.lab.bench.starvation.Comparisons.LONGEST_WAIT;
import static org.hadoopprio.lab.bench.starvation.Comparisons.MEAN;
import static org.hadoopprio.lab.bench.starvation.Comparisons.P95;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.function.Function;
import java.util.stream.DoubleStream;
import org.hadoopprio.lab.bench.experiment.Estimate;
import org.hadoopprio.lab.bench.experiment.Series;
import org.hadoopprio.lab.bench.experiment.Target;
import org.hadoopprio.lab.bench.experiment.report.Figure;
import org.hadoopprio.lab.bench.experiment.report.ReportTable;

/** What follows from the measurements of real-time readers beside streams. For one use. */
final class ReaderFindings {

  static final String REALTIME_MB = "/realtime/mb_per_s";

  /** The share of its stock throughput that the background must keep. */
  static final double MIN_BACKGROUND = 0.25;

  /** By what factor background may raise the 95th percentile of real-time reads. */
  static final double MAX_LATENCY = 2;

  /** Mean and 95th percentile of real-time reads in proportion to those without a priority. */
  static final double MAX_OF_STOCK = 1;

  private final StarvationPlan plan;
  private final Comparisons compare;

  ReaderFindings(StarvationPlan plan, Comparisons compare) {
    this.plan = plan;
    this.compare = compare;
  }

  /** Loads of one kind on one drive, the x axis of figures. */
  private final class Axis {

    private final ClientLoad.Kind kind;
    private final Drive drive;

    Axis(ClientLoad.Kind kind, Drive drive) {
      this.kind = kind;
      this.drive = drive;
    }

    String id() {
      return kind + (drive == Drive.PLAIN ? "" : "-" + drive);
    }

    String title() {
      return (kind == ClientLoad.Kind.OPEN ? "random reads, open loop" : kind + ", closed loop")
          + ", "
          + drive.label();
    }

    String xLabel() {
      return kind == ClientLoad.Kind.OPEN ? "real-time demand in % of the disk" : "threads";
    }

    List<ClientLoad> loads() {
      return plan.loads(kind);
    }

    List<ReaderSystem> systems() {
      return plan.systems(kind);
    }

    Figure figure(String id, String what, String yLabel) {
      return Figure.lines(id + "-" + id(), what + ", " + title(), xLabel(), yLabel);
    }
  }

  void draw() {
    List<Target> background = new ArrayList<>();
    List<Target> latency = new ArrayList<>();
    List<Axis> axes = new ArrayList<>();
    for (Drive drive : plan.drives()) {
      for (ClientLoad load : StarvationPlan.closed()) {
        String what = load.label() + ", " + drive.label();
        Function<ReaderSystem, Measurement> of = s -> Measurement.realtime(load, drive, s);
        background.add(
            compare.target(
                "background beside " + what,
                Target.Bound.AT_LEAST,
                MIN_BACKGROUND,
                BACKGROUND_MB,
                of,
                ReaderSystem.STOCK));
        for (String path : List.of(MEAN, P95)) {
          String figure = path.equals(MEAN) ? "mean of " : "p95 of ";
          compare.target(
              figure + what, Target.Bound.AT_MOST, MAX_OF_STOCK, path, of, ReaderSystem.STOCK);
        }
        latency.add(
            compare.target(
                "p95 of " + what, Target.Bound.AT_MOST, MAX_LATENCY, P95, of, ReaderSystem.BOUND));
      }
      StarvationPlan.KINDS.forEach(kind -> axes.add(new Axis(kind, drive)));
    }
    axes.forEach(this::addFigures);
    axes.forEach(this::addTable);
    addSummary(background, latency);
    compare
        .findings()
        .note(
            "Every read of the real-time client is one of "
                + StarvationClients.READ_BYTES / 1024
                + " KiB: a positioned read, or the next of a file. In the open loop, latency counts"
                + " from the time at which the read was due; at 100 % of what the disk can do"
                + " alone, the wait grows as long as the load lasts, with and without background.");
  }

  private void addFigures(Axis axis) {
    addFigure(
        axis,
        BACKGROUND_MB,
        axis.figure("background", "Background throughput beside real-time reads", "MB/s"));
    addFigure(
        axis,
        LONGEST_WAIT,
        axis.figure("longest-wait", "The background's longest wait", "ms").logY());
    addFigure(axis, P95, axis.figure("p95", "95th percentile of real-time reads", "ms").logY());
  }

  private void addFigure(Axis axis, String path, Figure figure) {
    for (ReaderSystem system : axis.systems()) {
      List<Integer> amounts = new ArrayList<>(List.of(0));
      List<Optional<Estimate>> values = new ArrayList<>();
      values.add(compare.estimate(path, Measurement.streams(BackgroundStreams.STREAMS16, system)));
      for (ClientLoad load : axis.loads()) {
        amounts.add(load.amount());
        values.add(compare.estimate(path, Measurement.realtime(load, axis.drive, system)));
      }
      Series.addPoints(figure, system.label(), amounts, values.stream());
    }
    Series.addIfDrawn(compare.findings(), figure);
  }

  private void addTable(Axis axis) {
    ReportTable table =
        new ReportTable(
            "Real-time reads and background, " + axis.title(),
            List.of(
                "real-time load",
                "system",
                "real-time MB/s",
                "mean ms",
                "p95 ms",
                "p95 / bound",
                "background MB/s",
                "background / stock",
                "longest wait ms"));
    for (ClientLoad load : axis.loads()) {
      Measurement bound = Measurement.realtime(load, axis.drive, ReaderSystem.BOUND);
      Measurement stock = Measurement.realtime(load, axis.drive, ReaderSystem.STOCK);
      for (ReaderSystem system : axis.systems()) {
        Measurement measurement = Measurement.realtime(load, axis.drive, system);
        Comparisons.addRow(
            table,
            List.of(load.label(), system.label()),
            List.of(
                compare.estimate(REALTIME_MB, measurement),
                compare.estimate(MEAN, measurement),
                compare.estimate(P95, measurement),
                compare.ratio(P95, measurement, bound),
                compare.estimate(BACKGROUND_MB, measurement),
                compare.ratio(BACKGROUND_MB, measurement, stock),
                compare.estimate(LONGEST_WAIT, measurement)));
      }
    }
    compare.add(table);
  }

  private void addSummary(List<Target> background, List<Target> latency) {
    OptionalDouble least = measured(background).min();
    OptionalDouble most = measured(latency).max();
    if (least.isPresent() && most.isPresent()) {
      compare
          .findings()
          .summary(
              String.format(
                  Locale.ROOT,
                  "beside closed-loop real-time reads, the background keeps at least %.2f of its"
                      + " stock throughput, and the p95 of the reads is at most %.2fx the bound"
                      + " (turns)",
                  least.getAsDouble(),
                  most.getAsDouble()));
    }
  }

  private static DoubleStream measured(List<Target> targets) {
    return targets.stream().map(Target::measured).flatMapToDouble(OptionalDouble::stream);
  }
}
