package org.hadoopprio.lab.bench.starvation;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.function.Function;
import java.util.stream.DoubleStream;
import org.hadoopprio.lab.bench.experiment.CellResult;
import org.hadoopprio.lab.bench.experiment.Estimate;
import org.hadoopprio.lab.bench.experiment.Findings;
import org.hadoopprio.lab.bench.experiment.Numbers;
import org.hadoopprio.lab.bench.experiment.Results;
import org.hadoopprio.lab.bench.experiment.Series;
import org.hadoopprio.lab.bench.experiment.Target;
import org.hadoopprio.lab.bench.experiment.report.Figure;
import org.hadoopprio.lab.bench.experiment.report.ReportTable;

/** What follows from the measurements. For one use. */
final class StarvationFindings {

  static final String BACKGROUND_MB = "/background/mb_per_s";
  static final String LONGEST_WAIT = "/background/longest_wait_ms";
  static final String DISK_TIME_RATIO = "/background/disk_time_ratio";
  static final String P95 = "/realtime/p95_ms";
  static final String MEAN = "/realtime/mean_ms";
  static final String MAX = "/realtime/max_ms";
  static final String REALTIME_MB = "/realtime/mb_per_s";

  static final String SCAN_P50 = "/scan/p50_ms";
  static final String SCAN_P99 = "/scan/p99_ms";
  static final String SCANS = "/scan/reads";

  /** The share of its stock throughput that the background must keep. */
  static final double MIN_BACKGROUND = 0.25;

  /** By what factor background may raise the 95th percentile of real-time reads. */
  static final double MAX_LATENCY = 2;

  /** The throughput of streams alone in proportion to stock's. */
  static final double MIN_STREAMS16 = 1.4;

  static final double MIN_STREAM1 = 0.98;
  static final double MAX_LONGEST_WAIT = 1;

  /** The 99th percentile of a lone scan in proportion to stock's. */
  static final double MAX_SCAN = 1;

  /** How far two priorities may be from their weights. */
  static final double MAX_DEVIATION = 0.1;

  private static final String SOURCE = "target of the project";

  private final StarvationPlan plan;
  private final Results results;
  private final Findings findings = new Findings();

  StarvationFindings(StarvationPlan plan, List<CellResult> results) {
    this.plan = plan;
    this.results = new Results(results);
  }

  Findings draw() {
    results.all().forEach(findings::requireGate);
    if (plan.has(StarvationPart.READERS)) {
      addReaders();
    }
    if (plan.has(StarvationPart.STREAMS)) {
      addStreams();
    }
    if (plan.has(StarvationPart.LEVELS)) {
      addLevels();
    }
    if (plan.has(StarvationPart.SCAN)) {
      addScan();
    }
    if (plan.has(StarvationPart.SHORT)) {
      addShort();
    }
    if (plan.has(StarvationPart.WRITERS)) {
      addWriters();
    }
    findings.note(
        "The longest wait is that of one read call of a stream, of up to 128 KiB; a call that"
            + " started before the measured time counts from its start.");
    return findings;
  }

  private Results of(Measurement measurement) {
    return results.of(cell -> cell.factors().equals(measurement.factors()));
  }

  /** The mean over the repetitions; empty where it was not measured. */
  private Optional<Estimate> estimate(String path, Measurement measurement) {
    return of(measurement).estimate(path);
  }

  private Optional<Estimate> ratio(String path, Measurement measurement, Measurement reference) {
    return of(measurement).ratio(of(reference), path);
  }

  /** Adds a row if any of its values was measured. */
  private static void addRow(
      ReportTable table, List<String> names, List<Optional<Estimate>> values) {
    if (values.stream().anyMatch(Optional::isPresent)) {
      List<String> row = new ArrayList<>(names);
      values.forEach(value -> row.add(value.map(Estimate::plusMinus).orElse("")));
      table.row(row);
    }
  }

  /** Adds rows of stock and turns: each figure, and its ratio to stock's. */
  private void addCompared(
      ReportTable table,
      String name,
      Function<ReaderSystem, Measurement> measured,
      List<String> paths) {
    for (ReaderSystem system : List.of(ReaderSystem.STOCK, ReaderSystem.TURNS)) {
      Measurement measurement = measured.apply(system);
      List<Optional<Estimate>> values = new ArrayList<>();
      for (String path : paths) {
        values.add(estimate(path, measurement));
        values.add(ratio(path, measurement, measured.apply(ReaderSystem.STOCK)));
      }
      addRow(table, List.of(name, system.label()), values);
    }
  }

  private void add(ReportTable table) {
    if (!table.rows().isEmpty()) {
      findings.add(table);
    }
  }

  private Target target(
      String what, Target.Bound bound, double required, Optional<Estimate> estimate) {
    Target target = Target.of(what, bound, required, estimate, SOURCE);
    findings.add(target);
    return target;
  }

  /** A target for what turns make of a figure, as a ratio to what another system does. */
  private Target target(
      String what,
      Target.Bound bound,
      double required,
      String path,
      Function<ReaderSystem, Measurement> measured,
      ReaderSystem reference) {
    return target(
        what + ", turns / " + reference,
        bound,
        required,
        ratio(path, measured.apply(ReaderSystem.TURNS), measured.apply(reference)));
  }

  // --- real-time readers beside streams ---------------------------------------------------------

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

  private void addReaders() {
    List<Target> background = new ArrayList<>();
    List<Target> latency = new ArrayList<>();
    List<Axis> axes = new ArrayList<>();
    for (Drive drive : plan.drives()) {
      for (ClientLoad load : StarvationPlan.closed()) {
        String what = load.label() + ", " + drive.label();
        Function<ReaderSystem, Measurement> of = s -> Measurement.realtime(load, drive, s);
        background.add(
            target(
                "background beside " + what,
                Target.Bound.AT_LEAST,
                MIN_BACKGROUND,
                BACKGROUND_MB,
                of,
                ReaderSystem.STOCK));
        latency.add(
            target(
                "p95 of " + what, Target.Bound.AT_MOST, MAX_LATENCY, P95, of, ReaderSystem.BOUND));
      }
      StarvationPlan.KINDS.forEach(kind -> axes.add(new Axis(kind, drive)));
    }
    axes.forEach(this::addFigures);
    axes.forEach(this::addTable);
    addSummary(background, latency);
    findings.note(
        "Every read of the real-time client is one of "
            + StarvationBed.READ_BYTES / 1024
            + " KiB: a positioned read, or the next of a file. In the open loop, latency counts from"
            + " the time at which the read was due; at 100 % of what the disk can do alone, the"
            + " wait grows as long as the load lasts, with and without background.");
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
      values.add(estimate(path, Measurement.streams(Background.STREAMS16, system)));
      for (ClientLoad load : axis.loads()) {
        amounts.add(load.amount());
        values.add(estimate(path, Measurement.realtime(load, axis.drive, system)));
      }
      Series.addPoints(figure, system.label(), amounts, values.stream());
    }
    Series.addIfDrawn(findings, figure);
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
        addRow(
            table,
            List.of(load.label(), system.label()),
            List.of(
                estimate(REALTIME_MB, measurement),
                estimate(MEAN, measurement),
                estimate(P95, measurement),
                ratio(P95, measurement, bound),
                estimate(BACKGROUND_MB, measurement),
                ratio(BACKGROUND_MB, measurement, stock),
                estimate(LONGEST_WAIT, measurement)));
      }
    }
    add(table);
  }

  private void addSummary(List<Target> background, List<Target> latency) {
    OptionalDouble least = measured(background).min();
    OptionalDouble most = measured(latency).max();
    if (least.isPresent() && most.isPresent()) {
      findings.summary(
          String.format(
              Locale.ROOT,
              "beside closed-loop real-time reads, the background keeps at least %.2f of its stock"
                  + " throughput, and the p95 of the reads is at most %.2fx the bound (turns)",
              least.getAsDouble(),
              most.getAsDouble()));
    }
  }

  private static DoubleStream measured(List<Target> targets) {
    return targets.stream().map(Target::measured).flatMapToDouble(OptionalDouble::stream);
  }

  // --- streams alone ----------------------------------------------------------------------------

  private void addStreams() {
    ReportTable table =
        new ReportTable(
            "Streams alone",
            List.of("streams", "system", "MB/s", "/ stock", "longest wait ms", "/ stock"));
    for (Background streams : List.of(Background.STREAMS16, Background.STREAM1)) {
      addCompared(
          table,
          streams.label(),
          system -> Measurement.streams(streams, system),
          List.of(BACKGROUND_MB, LONGEST_WAIT));
    }
    add(table);
    addStreamsTarget(Background.STREAMS16, BACKGROUND_MB, Target.Bound.AT_LEAST, MIN_STREAMS16);
    addStreamsTarget(Background.STREAM1, BACKGROUND_MB, Target.Bound.AT_LEAST, MIN_STREAM1);
    addStreamsTarget(Background.STREAMS16, LONGEST_WAIT, Target.Bound.AT_MOST, MAX_LONGEST_WAIT);
  }

  private void addStreamsTarget(
      Background streams, String path, Target.Bound bound, double required) {
    target(
        (path.equals(LONGEST_WAIT) ? "longest wait of " : "throughput of ")
            + streams.label()
            + " alone",
        bound,
        required,
        path,
        system -> Measurement.streams(streams, system),
        ReaderSystem.STOCK);
  }

  // --- streams at two priorities ----------------------------------------------------------------

  private void addLevels() {
    ReportTable table =
        new ReportTable(
            "Streams of one priority against as many of another",
            List.of(
                "priorities",
                "I/O scheduler",
                "expected",
                "MB/s of one",
                "of the other",
                "disk time of one",
                "of the other",
                "ratio"));
    for (Background groups : Background.levels()) {
      for (String scheduler : StarvationPlan.SCHEDULERS) {
        Results measured = of(Measurement.levels(groups, scheduler, ReaderSystem.TURNS));
        double expected = groups.expectedRatio();
        target(
            groups.label() + " on " + scheduler + ", distance of the ratio from its expected value",
            Target.Bound.AT_MOST,
            MAX_DEVIATION,
            measured.estimate(DISK_TIME_RATIO, ratio -> Math.abs(ratio / expected - 1)));
        addRow(
            table,
            List.of(groups.label(), scheduler, Numbers.text(expected)),
            List.of(
                measured.estimate("/background/groups_mb_per_s/0"),
                measured.estimate("/background/groups_mb_per_s/1"),
                measured.estimate("/background/groups_busy/0"),
                measured.estimate("/background/groups_busy/1"),
                measured.estimate(DISK_TIME_RATIO)));
      }
    }
    add(table);
    findings.note(
        "Disk time is the part of the time in which the drive worked for that priority, as it saw"
            + " it with each request. If both together are well below 1, the streams have not always"
            + " asked for more, and then the weaker ones get what the stronger ones leave.");
  }

  // --- a scan beside streams --------------------------------------------------------------------

  private void addScan() {
    ReportTable table =
        new ReportTable(
            "A lone scan beside 16 streams",
            List.of(
                "client",
                "system",
                "median ms",
                "/ stock",
                "p99 ms",
                "/ stock",
                "scans",
                "/ stock",
                "background MB/s",
                "/ stock"));
    String scans = ClientLoad.SCAN.label();
    addCompared(table, scans, Measurement::scan, List.of(SCAN_P50, SCAN_P99, SCANS, BACKGROUND_MB));
    add(table);
    target(
        "p99 of " + scans + " beside 16 streams",
        Target.Bound.AT_MOST,
        MAX_SCAN,
        SCAN_P99,
        Measurement::scan,
        ReaderSystem.STOCK);
    findings.note(
        "A scan is "
            + ClientLoad.SCAN.amount()
            + " positioned reads of "
            + StarvationBed.SCAN_READ_BYTES / 1024
            + " KiB, one after the other, of neighbouring parts of a file; it asks for no priority."
            + " Its time is that of all of them. With fewer than 1,000 scans, fewer than ten are"
            + " slower than the p99; with fewer than 100 it is the slowest one.");
  }

  // --- short reads at lower priorities ----------------------------------------------------------

  private void addShort() {
    ReportTable table =
        new ReportTable(
            "One random reader beside 16 streams",
            List.of("priority", "mean ms", "p95 ms", "longest ms", "background MB/s"));
    for (ReaderSystem system : StarvationPlan.SHORT_SYSTEMS) {
      Measurement measurement = StarvationPlan.shortReads(system);
      addRow(
          table,
          List.of(system.label()),
          List.of(
              estimate(MEAN, measurement),
              estimate(P95, measurement),
              estimate(MAX, measurement),
              estimate(BACKGROUND_MB, measurement)));
    }
    add(table);
    findings.note(
        "HBase lets one thread at a time load a block into its block cache. A Get that needs a block"
            + " which a read of a lower priority is loading waits as long as that read does.");
  }

  // --- a reader beside writers ------------------------------------------------------------------

  private void addWriters() {
    ReportTable table =
        new ReportTable(
            "One random reader beside 4 writers",
            List.of(
                "system", "mean ms", "p95 ms", "longest ms", "written MB/s", "longest write ms"));
    addWriters(table, Background.NONE, ReaderSystem.BOUND);
    addWriters(table, Background.WRITERS4, ReaderSystem.STOCK);
    Background.writers().forEach(writers -> addWriters(table, writers, ReaderSystem.TURNS));
    add(table);
    findings.note(
        "The writers write files of "
            + StarvationBed.WRITTEN_FILE_BYTES / (1 << 20)
            + " MiB, each the same file again and again. What they write is in the page cache"
            + " first, so the rate is not the disk's at every moment.");
  }

  private void addWriters(ReportTable table, Background writers, ReaderSystem system) {
    Measurement measurement = Measurement.writers(writers, system);
    addRow(
        table,
        List.of(system.label() + ", " + writers.label()),
        List.of(
            estimate(MEAN, measurement),
            estimate(P95, measurement),
            estimate(MAX, measurement),
            estimate(BACKGROUND_MB, measurement),
            estimate(LONGEST_WAIT, measurement)));
  }
}
