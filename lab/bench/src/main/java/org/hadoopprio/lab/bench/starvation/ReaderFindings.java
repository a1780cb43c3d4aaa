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

  void draw() {
    List<Target> background = new ArrayList<>();
    List<Target> latency = new ArrayList<>();
    for (ClientLoad load : StarvationPlan.all()) {
      String what = load.label();
      Function<ReaderSystem, Measurement> of = s -> Measurement.realtime(load, s);
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
    StarvationPlan.KINDS.forEach(this::addFigures);
    StarvationPlan.KINDS.forEach(this::addTable);
    addSummary(background, latency);
    compare
        .findings()
        .note(
            "Every read of the real-time client is one of "
                + StarvationClients.READ_BYTES / 1024
                + " KiB: a positioned read, or the next of a file.");
  }

  private void addFigures(ClientLoad.Kind kind) {
    addFigure(
        kind,
        BACKGROUND_MB,
        figure(kind, "background", "Background throughput beside real-time reads", "MB/s"));
    addFigure(
        kind,
        LONGEST_WAIT,
        figure(kind, "longest-wait", "The background's longest wait", "ms").logY());
    addFigure(kind, P95, figure(kind, "p95", "95th percentile of real-time reads", "ms").logY());
  }

  private static Figure figure(ClientLoad.Kind kind, String id, String what, String yLabel) {
    return Figure.lines(id + "-" + kind, what + ", " + kind, "threads", yLabel);
  }

  private void addFigure(ClientLoad.Kind kind, String path, Figure figure) {
    for (ReaderSystem system : StarvationPlan.SYSTEMS) {
      List<Integer> amounts = new ArrayList<>(List.of(0));
      List<Optional<Estimate>> values = new ArrayList<>();
      values.add(compare.estimate(path, Measurement.streams(BackgroundStreams.STREAMS16, system)));
      for (ClientLoad load : plan.loads(kind)) {
        amounts.add(load.amount());
        values.add(compare.estimate(path, Measurement.realtime(load, system)));
      }
      Series.addPoints(figure, system.label(), amounts, values.stream());
    }
    Series.addIfDrawn(compare.findings(), figure);
  }

  private void addTable(ClientLoad.Kind kind) {
    ReportTable table =
        new ReportTable(
            "Real-time reads and background, " + kind,
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
    for (ClientLoad load : plan.loads(kind)) {
      Measurement bound = Measurement.realtime(load, ReaderSystem.BOUND);
      Measurement stock = Measurement.realtime(load, ReaderSystem.STOCK);
      for (ReaderSystem system : StarvationPlan.SYSTEMS) {
        Measurement measurement = Measurement.realtime(load, system);
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
                  "beside real-time reads, the background keeps at least %.2f of its"
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
