package org.hadoopprio.bench.device;

import static org.hadoopprio.bench.device.DevicePlan.ALONE;
import static org.hadoopprio.bench.device.DevicePlan.BESIDE;
import static org.hadoopprio.bench.device.DevicePlan.BOUND;
import static org.hadoopprio.bench.device.DevicePlan.DEPTH;
import static org.hadoopprio.bench.device.DevicePlan.DRIVE;
import static org.hadoopprio.bench.device.DevicePlan.FULL_DEPTH;
import static org.hadoopprio.bench.device.DevicePlan.HIGH_PERCENT;
import static org.hadoopprio.bench.device.DevicePlan.HOST;
import static org.hadoopprio.bench.device.DevicePlan.LIMIT;
import static org.hadoopprio.bench.device.DevicePlan.MQ_DEADLINE;
import static org.hadoopprio.bench.device.DevicePlan.NONE;
import static org.hadoopprio.bench.device.DevicePlan.OPEN;
import static org.hadoopprio.bench.device.DevicePlan.PRIORITY;
import static org.hadoopprio.bench.device.DevicePlan.SCHEDULER;
import static org.hadoopprio.bench.device.DevicePlan.SCHEDULERS;
import static org.hadoopprio.bench.device.DevicePlan.SHARE;
import static org.hadoopprio.bench.device.DevicePlan.SIM;
import static org.hadoopprio.bench.device.DevicePlan.STOCK;
import static org.hadoopprio.bench.device.DevicePlan.TAIL;
import static org.hadoopprio.bench.device.DevicePlan.factors;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.hadoopprio.bench.experiment.CellResult;
import org.hadoopprio.bench.experiment.Estimate;
import org.hadoopprio.bench.experiment.Findings;
import org.hadoopprio.bench.experiment.Numbers;
import org.hadoopprio.bench.experiment.Target;
import org.hadoopprio.bench.experiment.report.Figure;
import org.hadoopprio.bench.experiment.report.ReportTable;

/** What follows from the device's results. For one use. */
final class DeviceFindings {

  /** The figure: the 99.99th percentile is at least so many times lower. */
  private static final double LEAST_TAIL_RATIO = 10;

  /** The device has some hundred samples of the foreground: its p99 is known to about a fifth. */
  private static final double LEAST_AGREEMENT = 0.75;

  private static final String FOREGROUND = "/" + DeviceExperiment.FOREGROUND;
  private static final String BACKGROUND = "/" + DeviceExperiment.BACKGROUND;
  private static final String ALL = "/" + DeviceExperiment.ALL;
  private static final List<Integer> DEPTHS = List.of(1, 2, 3, 4, 8, 16, 32);
  private static final List<Integer> PERCENTS = List.of(20, 30, 40);

  /** The numbers of {@code vhdd calibrate} that are measured on the device too, by their names. */
  private static final Map<String, Measure> ON_DEVICE = onDevice();

  /** Where a number is measured. */
  private static final class Measure {
    private final Map<String, String> factors;
    private final String pointer;

    Measure(Map<String, String> factors, String pointer) {
      this.factors = factors;
      this.pointer = pointer;
    }
  }

  private final DeviceResults results;
  private final List<PublishedRow> published;
  private final Findings findings = new Findings();

  DeviceFindings(List<CellResult> results) {
    this.results = new DeviceResults(results);
    this.published = this.results.published();
  }

  private static Map<String, Measure> onDevice() {
    Map<String, Measure> all = new LinkedHashMap<>();
    for (int depth : List.of(1, 3, FULL_DEPTH)) {
      all.put("128 KiB random reads, QD" + depth, new Measure(alone(depth), ALL + "/iops"));
    }
    all.put("128 KiB random reads, QD32, p99", new Measure(alone(FULL_DEPTH), ALL + "/p99_ms"));
    for (int percent : PERCENTS) {
      all.put(
          "NCQ priority, " + percent + " % high",
          new Measure(share(DRIVE, percent), ALL + "/iops"));
    }
    all.put(
        "NCQ priority, 20 % high, p99 of high",
        new Measure(share(DRIVE, 20), ALL + "/classes/rt/p99_ms"));
    all.put("CDL, 30 % with a limit", new Measure(share(LIMIT, 30), ALL + "/iops"));
    return all;
  }

  private static Map<String, String> alone(int depth) {
    return factors(ALONE, DEPTH, "qd" + depth);
  }

  private static Map<String, String> share(String priority, int percent) {
    return factors(SHARE, PRIORITY, priority, HIGH_PERCENT, "high" + percent);
  }

  private static Map<String, String> load(String load, String scheduler, String priority) {
    return factors(load, SCHEDULER, scheduler, PRIORITY, priority);
  }

  private static Map<String, String> beside(String scheduler, String priority, int depth) {
    return factors(BESIDE, SCHEDULER, scheduler, PRIORITY, priority, DEPTH, "qd" + depth);
  }

  Findings findings() {
    checkGates();
    addPublished();
    addTail();
    addDepthFigures();
    addShareFigure();
    addBeside();
    addOpen();
    findings.note(
        "A result on the virtual disk tells how requests queue at a drive of this kind. It is no"
            + " evidence about a product, nor about the kernel's ATA layer.");
    findings.note(
        "A closed-loop real-time foreground takes all it can get: read its latency together with"
            + " the background's throughput. The open-loop foreground is the one to judge by.");
    findings.summary(summary());
    return findings;
  }

  // --- validity -----------------------------------------------------------------------------

  private void checkGates() {
    for (CellResult result : results.withGate()) {
      findings.requireGate(result);
      int queue = result.measured().at("/gate/queue_max").asInt();
      if (offersFullQueue(result) && queue != FULL_DEPTH) {
        findings.invalid(
            result.cell() + ": the drive held at most " + queue + " requests, not " + FULL_DEPTH);
      }
    }
  }

  /** Not where a scheduler holds the background back: that leaves tags free. */
  private static boolean offersFullQueue(CellResult result) {
    Map<String, String> factors = result.cell().factors();
    if (factors.containsValue(ALONE)) {
      return factors.containsValue("qd" + FULL_DEPTH);
    }
    return factors.containsValue(SHARE)
        || factors.containsValue(STOCK)
        || factors.containsValue(NONE);
  }

  // --- published numbers --------------------------------------------------------------------

  private void addPublished() {
    ReportTable table =
        new ReportTable(
            "Published numbers and ours",
            List.of(
                "source",
                "what",
                "unit",
                "published",
                "device",
                "ratio",
                "virtual time",
                "ratio",
                "reproduced"));
    for (PublishedRow row : published) {
      OptionalDouble device = device(row);
      double ours = device.orElse(row.model);
      table.row(
          List.of(
              row.source,
              row.what,
              row.unit,
              Numbers.text(row.published),
              text(device),
              device.isPresent() ? Numbers.text(device.getAsDouble() / row.published) : "",
              Numbers.text(row.model),
              Numbers.text(row.model / row.published),
              row.reproduced(ours) ? "yes" : "NO"));
      if (!row.reproduced(ours)) {
        findings.note(
            String.format(
                "Not reproduced: %s is %s %s, published is %s (%s).",
                row.what, Numbers.text(ours), row.unit, Numbers.text(row.published), row.source));
      }
      if (row.gated && ON_DEVICE.containsKey(row.what)) {
        addDeviation(row, device);
      }
    }
    findings.add(table);
  }

  private OptionalDouble device(PublishedRow row) {
    Measure measure = ON_DEVICE.get(row.what);
    return measure == null
        ? OptionalDouble.empty()
        : results.mean(measure.factors, measure.pointer);
  }

  private void addDeviation(PublishedRow row, OptionalDouble device) {
    findings.add(
        Target.of(
            row.what + ": deviation from " + Numbers.text(row.published) + " " + row.unit + " [%]",
            Target.Bound.AT_MOST,
            row.tolerance * 100,
            device.isPresent()
                ? OptionalDouble.of(row.deviation(device.getAsDouble()) * 100)
                : device,
            row.source));
  }

  private static String text(OptionalDouble value) {
    return value.isPresent() ? Numbers.text(value.getAsDouble()) : "";
  }

  // --- the tail -----------------------------------------------------------------------------

  private void addTail() {
    String source = "IOPriority (2017): 1.4 s to 81 ms";
    OptionalDouble simulated = ratio(load(SIM, NONE, HOST), load(SIM, NONE, DRIVE), "/p99.99_ms");
    findings.add(
        Target.of(
            "foreground QD1 beside QD32, scheduler none, virtual time: p99.99 without drive"
                + " priority / with",
            Target.Bound.AT_LEAST,
            LEAST_TAIL_RATIO,
            simulated,
            source));
    OptionalDouble device = ratio(load(TAIL, NONE, HOST), load(TAIL, NONE, DRIVE), "/p99_ms");
    OptionalDouble model = ratio(load(SIM, NONE, HOST), load(SIM, NONE, DRIVE), "/p99_ms");
    findings.add(
        Target.of(
            "the same on the device, p99: that ratio / the one in virtual time",
            Target.Bound.AT_LEAST,
            LEAST_AGREEMENT,
            device.isPresent() && model.isPresent()
                ? OptionalDouble.of(device.getAsDouble() / model.getAsDouble())
                : OptionalDouble.empty(),
            "confirms the one above"));
    findings.add(
        Target.of(
                "the same on the device, p99 without drive priority / with",
                Target.Bound.AT_LEAST,
                LEAST_TAIL_RATIO,
                device,
                source)
            .reportedOnly());
    findings.add(
        Target.of(
                "mq-deadline, virtual time: p99.99 of stock / with drive priority",
                Target.Bound.AT_LEAST,
                LEAST_TAIL_RATIO,
                ratio(load(SIM, MQ_DEADLINE, STOCK), load(SIM, MQ_DEADLINE, DRIVE), "/p99.99_ms"),
                "for comparison")
            .reportedOnly());
    findings.add(
        Target.of(
                "mq-deadline, virtual time: p99.99 with the host's priority alone / with drive"
                    + " priority",
                Target.Bound.AT_LEAST,
                1,
                ratio(load(SIM, MQ_DEADLINE, HOST), load(SIM, MQ_DEADLINE, DRIVE), "/p99.99_ms"),
                "for comparison")
            .reportedOnly());
    addTailFigure();
  }

  /** A percentile of the foreground by that of another combination. */
  private OptionalDouble ratio(Map<String, String> of, Map<String, String> by, String name) {
    OptionalDouble above = results.mean(of, FOREGROUND + name);
    OptionalDouble below = results.mean(by, FOREGROUND + name);
    return above.isPresent() && below.isPresent()
        ? OptionalDouble.of(above.getAsDouble() / below.getAsDouble())
        : OptionalDouble.empty();
  }

  private void addTailFigure() {
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
        addSeries(
            figure,
            scheduler + ", " + priority,
            percentiles.stream()
                .map(name -> results.estimate(combination, FOREGROUND + "/" + name + "_ms")));
        addTailRow(table, combination, "virtual time");
        addTailRow(table, load(TAIL, scheduler, priority), "device");
      }
    }
    addIfDrawn(figure);
    findings.add(table);
  }

  private void addTailRow(ReportTable table, Map<String, String> combination, String where) {
    if (results.mean(combination, FOREGROUND + "/n").isEmpty()) {
      return;
    }
    boolean simulated = combination.containsValue(SIM);
    List<String> row = new ArrayList<>();
    row.addAll(List.of(combination.get(SCHEDULER), combination.get(PRIORITY), where));
    for (String name : List.of("n", "mean_ms", "p95_ms", "p99_ms", "p99.9_ms")) {
      row.add(text(results.mean(combination, FOREGROUND + "/" + name)));
    }
    row.add(simulated ? text(results.mean(combination, FOREGROUND + "/p99.99_ms")) : "");
    row.add(text(results.mean(combination, FOREGROUND + "/iops")));
    row.add(text(results.mean(combination, BACKGROUND + "/iops")));
    table.row(row);
  }

  // --- queue depth --------------------------------------------------------------------------

  private void addDepthFigures() {
    Figure iops =
        Figure.lines("depth-iops", "Random reads of 128 KiB", "queue depth", "IOPS")
            .logX()
            .caption(
                "Throughput over queue depth, one kind of request, scheduler none, beside the"
                    + " published numbers.");
    addDepthSeries(iops, "virtual disk", "/iops");
    addPublishedSeries(iops, "published (SDC 2021)", "128 KiB random reads, QD", "");
    addIfDrawn(iops);
    Figure latency =
        Figure.lines("depth-latency", "Random reads of 128 KiB", "queue depth", "latency [ms]")
            .logX()
            .logY()
            .caption("Latency over queue depth, one kind of request, scheduler none.");
    addDepthSeries(latency, "mean", "/mean_ms");
    addDepthSeries(latency, "p99", "/p99_ms");
    addPublishedSeries(latency, "p99, published (SDC 2021)", "128 KiB random reads, QD", ", p99");
    addIfDrawn(latency);
    ReportTable table =
        new ReportTable(
            "Queue depth", List.of("queue depth", "IOPS", "mean ms", "p50", "p95", "p99", "p99.9"));
    for (int depth : DEPTHS) {
      List<String> row = new ArrayList<>(List.of(Integer.toString(depth)));
      for (String name : List.of("iops", "mean_ms", "p50_ms", "p95_ms", "p99_ms", "p99.9_ms")) {
        row.add(text(results.mean(alone(depth), ALL + "/" + name)));
      }
      table.row(row);
    }
    findings.add(table);
  }

  private void addDepthSeries(Figure figure, String name, String pointer) {
    addSeries(
        figure,
        name,
        DEPTHS,
        DEPTHS.stream().map(depth -> results.estimate(alone(depth), ALL + pointer)));
  }

  /** A point for each number at whose place in the rows' names there is one of the published. */
  private void addPublishedSeries(Figure figure, String name, String before, String after) {
    List<Double> x = new ArrayList<>();
    List<Double> y = new ArrayList<>();
    for (int number : figure.id().startsWith("share") ? PERCENTS : DEPTHS) {
      for (PublishedRow row : published) {
        if (row.what.equals(before + number + after)) {
          x.add((double) number);
          y.add(row.published);
        }
      }
    }
    if (!x.isEmpty()) {
      figure.series(name, x, y, zeros(x.size()));
    }
  }

  // --- priority share -----------------------------------------------------------------------

  private void addShareFigure() {
    Figure figure =
        Figure.lines(
                "share-iops",
                "Queue depth 32 with a share of high priority",
                "requests of high priority [%]",
                "IOPS")
            .caption(
                "Throughput of all requests. The model loses more to priorities at 30 and 40 %"
                    + " than the published drive where the table says that it is not reproduced.");
    addSeries(
        figure,
        "virtual disk, priority",
        PERCENTS,
        PERCENTS.stream().map(p -> results.estimate(share(DRIVE, p), ALL + "/iops")));
    addPublishedSeries(figure, "published, priority", "NCQ priority, ", " % high");
    addSeries(
        figure,
        "virtual disk, duration limit",
        List.of(30),
        Stream.of(results.estimate(share(LIMIT, 30), ALL + "/iops")));
    addPublishedSeries(figure, "published, duration limit", "CDL, ", " % with a limit");
    addIfDrawn(figure);
    ReportTable table =
        new ReportTable(
            "Share of high priority at queue depth 32",
            List.of("means", "high %", "IOPS", "high: mean ms", "p99", "rest: mean ms", "p99"));
    for (int percent : PERCENTS) {
      addShareRow(table, "priority", share(DRIVE, percent), percent);
    }
    addShareRow(table, "duration limit", share(LIMIT, 30), 30);
    findings.add(table);
  }

  private void addShareRow(
      ReportTable table, String means, Map<String, String> combination, int percent) {
    List<String> row = new ArrayList<>(List.of(means, Integer.toString(percent)));
    for (String pointer :
        List.of(
            "/iops",
            "/classes/rt/mean_ms",
            "/classes/rt/p99_ms",
            "/classes/none/mean_ms",
            "/classes/none/p99_ms")) {
      row.add(text(results.mean(combination, ALL + pointer)));
    }
    table.row(row);
  }

  // --- foreground beside background ---------------------------------------------------------

  private void addBeside() {
    String setUp =
        " The set-up of figures 1a, 1b and 2 of IOPriority (2017): a closed-loop real-time"
            + " foreground beside a background at queue depth 32.";
    addBesideFigure("beside-latency", "Foreground: p99", "latency [ms]", FOREGROUND + "/p99_ms")
        .logY()
        .caption("99th percentile of the foreground." + setUp);
    addBesideFigure("beside-foreground", "Foreground: throughput", "IOPS", FOREGROUND + "/iops")
        .caption("Throughput of the foreground." + setUp);
    addBesideFigure("beside-background", "Background: throughput", "IOPS", BACKGROUND + "/iops")
        .caption("What is left to the background." + setUp);
    ReportTable table =
        new ReportTable(
            "Closed-loop foreground beside a background at queue depth 32",
            List.of(
                "scheduler",
                "priority",
                "depth",
                "foreground: IOPS",
                "mean ms",
                "p99",
                "background: IOPS"));
    for (String scheduler : SCHEDULERS) {
      for (String priority : List.of(HOST, DRIVE)) {
        for (int depth : DEPTHS) {
          Map<String, String> combination = beside(scheduler, priority, depth);
          if (results.mean(combination, FOREGROUND + "/iops").isPresent()) {
            table.row(
                List.of(
                    scheduler,
                    priority,
                    Integer.toString(depth),
                    text(results.mean(combination, FOREGROUND + "/iops")),
                    text(results.mean(combination, FOREGROUND + "/mean_ms")),
                    text(results.mean(combination, FOREGROUND + "/p99_ms")),
                    text(results.mean(combination, BACKGROUND + "/iops"))));
          }
        }
      }
    }
    findings.add(table);
  }

  private Figure addBesideFigure(String id, String title, String yLabel, String pointer) {
    Figure figure =
        Figure.lines(
                id, title + " beside a background at 32", "queue depth of the foreground", yLabel)
            .logX();
    for (String scheduler : SCHEDULERS) {
      for (String priority : List.of(HOST, DRIVE)) {
        addSeries(
            figure,
            scheduler + ", " + priority,
            DEPTHS,
            DEPTHS.stream()
                .map(depth -> results.estimate(beside(scheduler, priority, depth), pointer)));
      }
    }
    return addIfDrawn(figure);
  }

  // --- open loop ----------------------------------------------------------------------------

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
        row.add(text(results.mean(combination, FOREGROUND + "/" + name)));
      }
      row.add(
          combination.containsValue(BOUND)
              ? ""
              : text(results.mean(combination, BACKGROUND + "/iops")));
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
      addSeries(
          figure,
          name,
          there.stream().map(c -> results.estimate(c, FOREGROUND + "/" + name + "_ms")));
    }
    addIfDrawn(figure);
  }

  // --- helpers ------------------------------------------------------------------------------

  /** A series of the points that were measured. */
  private static void addSeries(
      Figure figure, String name, List<Integer> all, Stream<Optional<Estimate>> estimates) {
    List<Optional<Estimate>> values = estimates.collect(Collectors.toList());
    List<Double> x = new ArrayList<>();
    List<Double> y = new ArrayList<>();
    List<Double> error = new ArrayList<>();
    for (int i = 0; i < values.size(); i++) {
      if (values.get(i).isPresent()) {
        x.add((double) all.get(i));
        y.add(values.get(i).get().mean());
        error.add(values.get(i).get().halfWidth());
      }
    }
    if (!x.isEmpty()) {
      figure.series(name, x, y, error);
    }
  }

  /** A series of bars, which needs every value. */
  private static void addSeries(Figure figure, String name, Stream<Optional<Estimate>> estimates) {
    List<Optional<Estimate>> values = estimates.collect(Collectors.toList());
    if (values.stream().allMatch(Optional::isPresent)) {
      figure.series(
          name,
          values.stream().map(value -> value.get().mean()).collect(Collectors.toList()),
          values.stream().map(value -> value.get().halfWidth()).collect(Collectors.toList()));
    }
  }

  private static List<Double> zeros(int count) {
    return Stream.generate(() -> 0.0).limit(count).collect(Collectors.toList());
  }

  private Figure addIfDrawn(Figure figure) {
    if (!figure.series().isEmpty()) {
      findings.add(figure);
    }
    return figure;
  }

  private String summary() {
    OptionalDouble stock = results.mean(load(OPEN, MQ_DEADLINE, STOCK), FOREGROUND + "/mean_ms");
    OptionalDouble drive = results.mean(load(OPEN, MQ_DEADLINE, DRIVE), FOREGROUND + "/mean_ms");
    OptionalDouble bound = results.mean(load(OPEN, MQ_DEADLINE, BOUND), FOREGROUND + "/mean_ms");
    OptionalDouble tail = ratio(load(SIM, NONE, HOST), load(SIM, NONE, DRIVE), "/p99.99_ms");
    long decisive = findings.targets().stream().filter(Target::decisive).count();
    long met = findings.targets().stream().filter(t -> t.decisive() && t.met()).count();
    return String.format(
        "%d of %d targets met; p99.99 %sx lower with drive priority; open loop on mq-deadline:"
            + " mean %s ms stock, %s ms with drive priority, %s ms alone",
        met, decisive, text(tail), text(stock), text(drive), text(bound));
  }
}
