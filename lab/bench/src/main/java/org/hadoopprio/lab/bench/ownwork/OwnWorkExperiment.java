// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.lab.bench.ownwork;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.hadoopprio.lab.bench.experiment.Cell;
import org.hadoopprio.lab.bench.experiment.CellResult;
import org.hadoopprio.lab.bench.experiment.Estimate;
import org.hadoopprio.lab.bench.experiment.Experiment;
import org.hadoopprio.lab.bench.experiment.Findings;
import org.hadoopprio.lab.bench.experiment.Results;
import org.hadoopprio.lab.bench.experiment.StepLog;
import org.hadoopprio.lab.bench.experiment.Target;
import org.hadoopprio.lab.bench.experiment.report.ReportTable;

/** Conditions that are measured in pairs, or with more systems, one directly after the other. */
abstract class OwnWorkExperiment implements Experiment {

  private static final String CONDITION = "condition";
  private static final String SYSTEM = "system";
  private static final String SOURCE = "target of the project";

  private final List<String> conditions;
  private final Set<OwnWorkSystem> systems;
  private final OwnWorkDrive drive;
  private final int repetitions;
  private OwnWorkBed bed;

  OwnWorkExperiment(
      List<String> conditions, Set<OwnWorkSystem> systems, OwnWorkDrive drive, int repetitions) {
    this.conditions = conditions;
    this.systems = systems;
    this.drive = drive;
    this.repetitions = repetitions;
  }

  /** What makes results comparable, beside the drive. */
  abstract Map<String, String> scale();

  /** Starts the cluster and writes the data. */
  abstract OwnWorkBed start(OwnWorkDrive disks, StepLog log) throws IOException;

  /** How long a condition takes, about. */
  abstract double expectedSeconds(String condition);

  /** Adds what follows from the results; the gates are checked. */
  abstract void evaluate(Results results, Findings findings);

  @Override
  public final Map<String, String> settings() {
    Map<String, String> settings = new LinkedHashMap<>(scale());
    settings.put("drive", drive.toString());
    return settings;
  }

  /** The two of a pair are next to each other, and take turns in being the first. */
  @Override
  public final List<Cell> plan() {
    List<Cell> cells = new ArrayList<>();
    for (int repetition = 1; repetition <= repetitions; repetition++) {
      List<OwnWorkSystem> ordered = new ArrayList<>(systems);
      if (repetition % 2 == 0) {
        Collections.reverse(ordered);
      }
      for (String condition : conditions) {
        for (OwnWorkSystem system : ordered) {
          Map<String, String> factors = new LinkedHashMap<>();
          factors.put(CONDITION, condition);
          factors.put(SYSTEM, system.toString());
          cells.add(new Cell(factors, repetition, expectedSeconds(condition)));
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
    OwnWorkBed started = start(drive, log);
    synchronized (this) {
      bed = started;
    }
  }

  @Override
  public final ObjectNode run(Cell cell, StepLog log) throws IOException {
    return bed.measure(cell.factor(CONDITION), OwnWorkSystem.of(cell.factor(SYSTEM)));
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

  /** The repetitions of one condition. */
  static Results of(Results all, String condition, OwnWorkSystem system) {
    return all.of(
        cell ->
            cell.factor(CONDITION).equals(condition)
                && cell.factor(SYSTEM).equals(system.toString()));
  }

  static Target target(
      String what, Target.Bound bound, double required, Optional<Estimate> measured) {
    return Target.of(what, bound, required, measured, SOURCE);
  }

  /** Adds a table with a row for each condition that was measured, and a column for each number. */
  final void addTable(
      Results all, Findings findings, String title, Map<String, String> columnsToPaths) {
    List<String> columns = new ArrayList<>(List.of(CONDITION, SYSTEM));
    columns.addAll(columnsToPaths.keySet());
    ReportTable table = new ReportTable(title, columns);
    for (String condition : conditions) {
      for (OwnWorkSystem system : systems) {
        Results measured = of(all, condition, system);
        if (!measured.all().isEmpty()) {
          List<String> row = new ArrayList<>(List.of(condition, system.toString()));
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
