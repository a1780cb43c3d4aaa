// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.lab.bench.together;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.Closeable;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.hadoopprio.lab.bench.experiment.Cell;
import org.hadoopprio.lab.bench.experiment.CellResult;
import org.hadoopprio.lab.bench.experiment.Estimate;
import org.hadoopprio.lab.bench.experiment.Experiment;
import org.hadoopprio.lab.bench.experiment.Findings;
import org.hadoopprio.lab.bench.experiment.Results;
import org.hadoopprio.lab.bench.experiment.StepLog;
import org.hadoopprio.lab.bench.experiment.report.ReportTable;

/** Loads that are measured with some systems, one directly after the other. */
abstract class TogetherExperiment<S extends Enum<S>> implements Experiment {

  private static final String LOAD = "load";
  private static final String SYSTEM = "system";

  private final List<String> loads;
  private final Class<S> all;
  private final Set<S> systems;
  private final int repetitions;
  private Measuring<S> bed;

  TogetherExperiment(List<String> loads, Class<S> all, Set<S> systems, int repetitions) {
    this.loads = loads;
    this.all = all;
    this.systems = systems;
    this.repetitions = repetitions;
  }

  /** A cluster on which loads are measured. {@link #close} may be called by another thread. */
  interface Measuring<S> extends Closeable {
    ObjectNode measure(String load, S system) throws IOException;
  }

  /** Starts the cluster and writes the data. */
  abstract Measuring<S> start(StepLog log) throws IOException;

  /** How long a cell takes, about. */
  abstract double expectedSeconds();

  /** Adds what follows from the results; the gates are checked. */
  abstract void evaluate(Results results, Findings findings);

  /** The systems of a load are next to each other, in the reverse order each second time. */
  @Override
  public final List<Cell> plan() {
    List<Cell> cells = new ArrayList<>();
    for (int repetition = 1; repetition <= repetitions; repetition++) {
      List<S> ordered = new ArrayList<>(systems);
      if (repetition % 2 == 0) {
        Collections.reverse(ordered);
      }
      for (String load : loads) {
        for (S system : ordered) {
          Map<String, String> factors = new LinkedHashMap<>();
          factors.put(LOAD, load);
          factors.put(SYSTEM, SystemNames.text(system));
          cells.add(new Cell(factors, repetition, expectedSeconds()));
        }
      }
    }
    return cells;
  }

  @Override
  public final List<Cell> order(List<Cell> cells, long seed) {
    return cells;
  }

  @Override
  public final void prepare(StepLog log) throws IOException {
    Measuring<S> started = start(log);
    synchronized (this) {
      bed = started;
    }
  }

  @Override
  public final ObjectNode run(Cell cell, StepLog log) throws IOException {
    return bed.measure(cell.factor(LOAD), SystemNames.of(all, cell.factor(SYSTEM)));
  }

  @Override
  public final Findings evaluate(List<CellResult> results) {
    Findings findings = new Findings();
    results.forEach(findings::requireGate);
    evaluate(new Results(results), findings);
    return findings.summary(
        findings.targets().stream()
            .map(
                target ->
                    target.what()
                        + ": "
                        + target.estimate().map(Estimate::toString).orElse("not measured"))
            .collect(Collectors.joining("; ")));
  }

  /** The repetitions of one load with one system. */
  final Results of(Results results, String load, S system) {
    return results.of(
        cell ->
            cell.factor(LOAD).equals(load) && cell.factor(SYSTEM).equals(SystemNames.text(system)));
  }

  /** Adds a table with a row for each load and system, and a column for each number. */
  final void addTable(
      Results results, Findings findings, String title, Map<String, String> columnsToPaths) {
    List<String> columns = new ArrayList<>(List.of(LOAD, SYSTEM));
    columns.addAll(columnsToPaths.keySet());
    ReportTable table = new ReportTable(title, columns);
    for (String load : loads) {
      for (S system : systems) {
        Results measured = of(results, load, system);
        if (!measured.all().isEmpty()) {
          List<String> row = new ArrayList<>(List.of(load, SystemNames.text(system)));
          columnsToPaths
              .values()
              .forEach(
                  path -> row.add(measured.estimate(path).map(Estimate::plusMinus).orElse("")));
          table.row(row);
        }
      }
    }
    findings.add(table);
  }

  @Override
  public final synchronized void close() throws IOException {
    if (bed != null) {
      bed.close();
    }
  }
}
