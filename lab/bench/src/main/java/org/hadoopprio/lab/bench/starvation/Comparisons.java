// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.lab.bench.starvation;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import org.hadoopprio.lab.bench.experiment.CellResult;
import org.hadoopprio.lab.bench.experiment.Estimate;
import org.hadoopprio.lab.bench.experiment.Findings;
import org.hadoopprio.lab.bench.experiment.Results;
import org.hadoopprio.lab.bench.experiment.Target;
import org.hadoopprio.lab.bench.experiment.report.ReportTable;

/** Figures of the measurements, and the tables and targets that compare them. For one use. */
final class Comparisons {

  static final String BACKGROUND_MB = "/background/mb_per_s";
  static final String LONGEST_WAIT = "/background/longest_wait_ms";
  static final String P95 = "/realtime/p95_ms";
  static final String MEAN = "/realtime/mean_ms";

  private static final String SOURCE = "target of the project";

  private final Results results;
  private final Findings findings;

  /**
   * Compares results.
   *
   * @param findings to which tables and targets are added
   */
  Comparisons(List<CellResult> results, Findings findings) {
    this.results = new Results(results);
    this.findings = findings;
    this.results.all().forEach(findings::requireGate);
  }

  Findings findings() {
    return findings;
  }

  Results of(Measurement measurement) {
    return results.of(cell -> cell.factors().equals(measurement.factors()));
  }

  /** The mean over the repetitions; empty where it was not measured. */
  Optional<Estimate> estimate(String path, Measurement measurement) {
    return of(measurement).estimate(path);
  }

  Optional<Estimate> ratio(String path, Measurement measurement, Measurement reference) {
    return of(measurement).ratio(of(reference), path);
  }

  /** Adds a row if any of its values was measured. */
  static void addRow(ReportTable table, List<String> names, List<Optional<Estimate>> values) {
    if (values.stream().anyMatch(Optional::isPresent)) {
      List<String> row = new ArrayList<>(names);
      values.forEach(value -> row.add(value.map(Estimate::plusMinus).orElse("")));
      table.row(row);
    }
  }

  /** Adds rows of stock and turns: each figure, and its ratio to stock's. */
  void addCompared(
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

  void add(ReportTable table) {
    if (!table.rows().isEmpty()) {
      findings.add(table);
    }
  }

  Target target(String what, Target.Bound bound, double required, Optional<Estimate> estimate) {
    Target target = Target.of(what, bound, required, estimate, SOURCE);
    findings.add(target);
    return target;
  }

  /** A target for what turns make of a figure, as a ratio to what another system does. */
  Target target(
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
}
