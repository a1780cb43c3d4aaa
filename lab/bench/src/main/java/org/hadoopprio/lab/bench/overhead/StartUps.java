package org.hadoopprio.lab.bench.overhead;

import java.util.List;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;
import org.hadoopprio.lab.bench.experiment.CellResult;
import org.hadoopprio.lab.bench.experiment.Estimate;
import org.hadoopprio.lab.bench.experiment.report.ReportTable;

/** How long processes take to start; each round has one start of each variant. */
final class StartUps {

  static final String SECONDS = "seconds";
  static final String CPU = "cpu_s";

  private final List<CellResult> rounds;
  private final List<Variant> variants;

  /**
   * Takes the results of one kind of process.
   *
   * @param variants among them both of {@link Variant#STOCKS}
   */
  StartUps(List<CellResult> rounds, List<Variant> variants) {
    this.rounds = rounds;
    this.variants = variants;
  }

  boolean isEmpty() {
    return rounds.isEmpty();
  }

  ReportTable table(String title) {
    ReportTable table =
        new ReportTable(
            title,
            List.of("variant", "seconds", "beyond stock, s", "CPU, s", "CPU beyond stock, s"));
    for (Variant variant : variants) {
      boolean stock = variant == Variant.STOCK;
      table.row(
          List.of(
              variant.words(),
              mean(variant, SECONDS).plusMinus(),
              stock ? "" : beyond(variant, SECONDS).plusMinus(),
              mean(variant, CPU).plusMinus(),
              stock ? "" : beyond(variant, CPU).plusMinus()));
    }
    return table;
  }

  private Estimate mean(Variant variant, String field) {
    return estimate(round -> value(round, variant, field));
  }

  /** What a variant takes more than stock, in seconds. */
  Estimate beyond(Variant variant, String field) {
    return estimate(round -> Ratios.difference(variant, v -> value(round, v, field)));
  }

  private Estimate estimate(ToDoubleFunction<CellResult> value) {
    return Estimate.of(rounds.stream().mapToDouble(value).boxed().collect(Collectors.toList()));
  }

  private static double value(CellResult round, Variant variant, String field) {
    return round.number("/starts/" + variant.label() + "/" + field);
  }
}
