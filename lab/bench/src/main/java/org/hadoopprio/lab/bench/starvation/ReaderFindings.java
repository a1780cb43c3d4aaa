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

  /** Real-time reads in proportion to those without a priority. */
  static final double OF_STOCK = 1;

  /** How long a stream may wait where stock's do not wait half as long. */
  static final double LONGEST_WAIT_MS = 3_000;

  static final double LONGEST_WAIT_OF_STOCK = 2;

  /** How far the bytes that are charged may be from those that the drive has read. */
  static final double MAX_UNCHARGED = 0.02;

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
      if (load.kind() == ClientLoad.Kind.RANDOM) {
        addOfStock("mean of " + what, Target.Bound.AT_MOST, MEAN, of);
        addOfStock("p95 of " + what, Target.Bound.AT_MOST, P95, of);
      } else {
        addOfStock("throughput of " + what, Target.Bound.AT_LEAST, REALTIME_MB, of);
      }
      addLongestWait(what, of);
      latency.add(
          compare.target(
              "p95 of " + what, Target.Bound.AT_MOST, MAX_LATENCY, P95, of, ReaderSystem.BOUND));
    }
    StarvationPlan.KINDS.forEach(this::addFigures);
    StarvationPlan.KINDS.forEach(this::addTable);
    addCharged();
    addSummary(background, latency);
    compare
        .findings()
        .note(
            "Every read of the real-time client is one of "
                + StarvationClients.READ_BYTES / 1024
                + " KiB: a positioned read, or the next of a file.");
  }

  /** A priority never makes reads worse than stock's. */
  private void addOfStock(
      String what, Target.Bound bound, String path, Function<ReaderSystem, Measurement> of) {
    compare.target(what, bound, OF_STOCK, path, of, ReaderSystem.STOCK);
  }

  private void addLongestWait(String what, Function<ReaderSystem, Measurement> of) {
    double stock =
        compare
            .estimate(LONGEST_WAIT, of.apply(ReaderSystem.STOCK))
            .map(Estimate::mean)
            .orElse(0.0);
    double allowed = Math.max(LONGEST_WAIT_MS, LONGEST_WAIT_OF_STOCK * stock);
    compare.target(
        "longest wait of a stream beside " + what + " / the larger of 3 s and twice stock's",
        Target.Bound.AT_MOST,
        1,
        compare
            .estimate(LONGEST_WAIT, of.apply(ReaderSystem.TURNS))
            .map(wait -> wait.times(1 / allowed)));
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

  /** The real-time share binds only if what is charged is what the disk reads. */
  private void addCharged() {
    ReportTable table =
        new ReportTable(
            "Bytes charged beside bytes that the drive has read, turns",
            List.of(
                "real-time load",
                "rt charged MB",
                "rt at the disk MB",
                "ratio",
                "be charged MB",
                "be at the disk MB",
                "ratio"));
    for (ClientLoad load : StarvationPlan.all()) {
      Measurement measurement = Measurement.realtime(load, ReaderSystem.TURNS);
      List<Optional<Estimate>> values = new ArrayList<>();
      for (String ioClass : List.of("rt", "be")) {
        for (String field : List.of("charged_mb", "disk_mb", "of_disk")) {
          String path = String.join("/", "", ChargedBytes.FIELD, ioClass, field);
          values.add(compare.estimate(path, measurement));
        }
      }
      Comparisons.addRow(table, List.of(load.label()), values);
      compare.target(
          "real-time bytes charged beside " + load.label() + ", distance from those of the drive",
          Target.Bound.AT_MOST,
          MAX_UNCHARGED,
          compare
              .of(measurement)
              .estimate(
                  String.join("/", "", ChargedBytes.FIELD, "rt", "of_disk"),
                  ratio -> Math.abs(ratio - 1)));
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
