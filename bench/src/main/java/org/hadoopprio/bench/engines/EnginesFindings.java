package org.hadoopprio.bench.engines;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;
import java.util.Locale;
import java.util.OptionalDouble;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;
import org.hadoopprio.bench.experiment.CellResult;
import org.hadoopprio.bench.experiment.Estimate;
import org.hadoopprio.bench.experiment.Findings;
import org.hadoopprio.bench.experiment.Target;
import org.hadoopprio.bench.experiment.report.ReportTable;

/** What follows from the results. */
final class EnginesFindings {

  /** A DataNode's CPU time for an uncached read of 64 KiB, divided by stock's. */
  static final double MOST_CPU = 1.10;

  private static final String SOURCE = "the project's aim";

  private final List<CellResult> results;

  EnginesFindings(List<CellResult> results) {
    this.results = List.copyOf(results);
  }

  Findings toFindings() {
    Findings findings = new Findings();
    addTarget(findings, Variant.THREAD);
    addTarget(findings, Variant.DIRECT);
    ReportTable table =
        new ReportTable(
            "Mean over rounds ± half of the 95 % confidence interval",
            List.of("reads", "variant", "CPU per read, µs", "CPU / stock", "MiB/s"));
    for (ReadKind kind : ReadKind.values()) {
      List<CellResult> rounds = of(kind);
      if (!rounds.isEmpty()) {
        for (Variant variant : Variant.values()) {
          table.row(
              List.of(
                  kind.label(),
                  variant.label(),
                  text("%.0f", estimate(rounds, r -> cpu(r, variant) * 1e6)),
                  text("%.2f", ratio(rounds, variant)),
                  text(
                      "%.0f", estimate(rounds, r -> rate(r, variant) * kind.bytes() / (1 << 20)))));
        }
      }
    }
    return findings
        .add(table)
        .note(
            "CPU time is that of the DataNode's process, with ncq the helper's, too; not that of"
                + " the client and of the kernel's own threads. One client, one read at a time.")
        .note(
            "The disks are loop devices. With ncq the loop device answers in the place of a SATA"
                + " disk: the cost of SG_IO and of a drive is not in it.")
        .summary(summary());
  }

  private void addTarget(Findings findings, Variant variant) {
    String what = variant.label() + " / stock, CPU time per uncached read of 64 KiB";
    List<CellResult> rounds = of(ReadKind.SMALL_UNCACHED);
    OptionalDouble measured = OptionalDouble.empty();
    if (rounds.size() > 1) {
      Estimate ratio = ratio(rounds, variant);
      what += ": " + text("%.3f", ratio) + "; the interval's lower end";
      measured = OptionalDouble.of(ratio.low());
    }
    findings.add(Target.of(what, Target.Bound.AT_MOST, MOST_CPU, measured, SOURCE));
  }

  private String summary() {
    List<CellResult> rounds = of(ReadKind.SMALL_UNCACHED);
    if (rounds.isEmpty()) {
      return "nothing measured yet";
    }
    return List.of(Variant.values()).stream()
        .map(
            variant ->
                String.format(
                    Locale.ROOT,
                    "%s %.0f µs",
                    variant.label(),
                    estimate(rounds, r -> cpu(r, variant) * 1e6).mean()))
        .collect(Collectors.joining(", ", "CPU per uncached 64 KiB read: ", ""));
  }

  private List<CellResult> of(ReadKind kind) {
    return results.stream()
        .filter(result -> result.cell().factor(EnginesExperiment.FACTOR).equals(kind.label()))
        .collect(Collectors.toList());
  }

  private static Estimate ratio(List<CellResult> rounds, Variant variant) {
    return estimate(
        rounds,
        round ->
            variant == Variant.CONTROL
                ? cpu(round, variant) / cpu(round, Variant.STOCK)
                : cpu(round, variant)
                    * 2
                    / (cpu(round, Variant.STOCK) + cpu(round, Variant.CONTROL)));
  }

  private static Estimate estimate(List<CellResult> rounds, ToDoubleFunction<CellResult> value) {
    return Estimate.of(rounds.stream().map(value::applyAsDouble).collect(Collectors.toList()));
  }

  /** CPU seconds per read: over all blocks, as the kernel tells CPU time in units of 10 ms. */
  private static double cpu(CellResult round, Variant variant) {
    return sum(round, variant, "cpu_s") / sum(round, variant, "reads");
  }

  /** Reads per second. */
  private static double rate(CellResult round, Variant variant) {
    return sum(round, variant, "reads") / sum(round, variant, "seconds");
  }

  private static double sum(CellResult round, Variant variant, String field) {
    double sum = 0;
    for (JsonNode block : round.measured().path("blocks").path(variant.label())) {
      sum += block.path(field).asDouble();
    }
    return sum;
  }

  private static String text(String format, Estimate estimate) {
    String mean = String.format(Locale.ROOT, format, estimate.mean());
    return estimate.count() < 2
        ? mean
        : mean + " ± " + String.format(Locale.ROOT, format, estimate.halfWidth());
  }
}
