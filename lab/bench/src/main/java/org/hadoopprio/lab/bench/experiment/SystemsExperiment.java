// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.lab.bench.experiment;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.Closeable;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.hadoopprio.lab.bench.experiment.report.ReportTable;

/**
 * Conditions that are measured with some systems each, one directly after the other.
 *
 * @param <S> the systems that are compared
 */
public abstract class SystemsExperiment<S extends Enum<S>> implements Experiment {

  private static final String CONDITION = "condition";
  private static final String SYSTEM = "system";
  private static final String OWN_TARGET = "target of the project";
  private static final String READS = "/client/reads";
  private static final Pattern PERCENTILE = Pattern.compile("/client/p(\\d+)_ms");

  private final String name;
  private final String title;
  private final List<String> conditions;
  private final Set<S> systems;
  private final int repetitions;
  private Bed<S> bed;

  /**
   * An experiment.
   *
   * @param name see {@link Experiment#name}
   * @param title see {@link Experiment#title}
   * @param systems one or more
   */
  protected SystemsExperiment(
      String name, String title, List<String> conditions, Set<S> systems, int repetitions) {
    this.name = name;
    this.title = title;
    this.conditions = conditions;
    this.systems = systems;
    this.repetitions = repetitions;
  }

  /** What conditions are measured on. {@link #close} may be called by another thread. */
  public interface Bed<S> extends Closeable {
    ObjectNode measure(String condition, S system) throws IOException;
  }

  /** Starts the cluster and writes the data. */
  protected abstract Bed<S> start(StepLog log) throws IOException;

  /** How long a cell takes, about. */
  protected abstract double expectedSeconds(String condition);

  /** Adds what follows from the results; the gates are checked. */
  protected abstract void evaluate(Results results, Findings findings);

  @Override
  public final String name() {
    return name;
  }

  @Override
  public final String title() {
    return title;
  }

  /** The systems of a condition are next to each other, in the reverse order each second time. */
  @Override
  public final List<Cell> plan() {
    List<Cell> cells = new ArrayList<>();
    for (int repetition = 1; repetition <= repetitions; repetition++) {
      List<S> ordered = new ArrayList<>(systems);
      if (repetition % 2 == 0) {
        Collections.reverse(ordered);
      }
      for (String condition : conditions) {
        for (S system : ordered) {
          Map<String, String> factors = new LinkedHashMap<>();
          factors.put(CONDITION, condition);
          factors.put(SYSTEM, EnumNames.text(system));
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
    Bed<S> started = start(log);
    synchronized (this) {
      bed = started;
    }
  }

  @Override
  public final ObjectNode run(Cell cell, StepLog log) throws IOException {
    Class<S> type = systems.iterator().next().getDeclaringClass();
    return bed.measure(cell.factor(CONDITION), EnumNames.of(type, cell.factor(SYSTEM)));
  }

  @Override
  public final Findings evaluate(List<CellResult> results) {
    Findings findings = new Findings();
    results.forEach(findings::requireGate);
    evaluate(new Results(results), findings);
    return findings.summarizeTargets();
  }

  /** The repetitions of one condition with one system. */
  protected final Results of(Results results, String condition, S system) {
    return results.of(
        cell ->
            cell.factor(CONDITION).equals(condition)
                && cell.factor(SYSTEM).equals(EnumNames.text(system)));
  }

  /** A target for the ratio of a number, of which no publication has one. */
  protected static Target ownTarget(
      String what, Target.Bound bound, double required, Results over, Results under, String path) {
    return Target.of(what, bound, required, over.ratio(under, path), OWN_TARGET);
  }

  /**
   * Adds a table with a row for each condition and system that was measured, and the figures of the
   * client; {@code -} for a percentile of too few reads.
   *
   * @param what the client does
   * @param more titles of further columns and the paths of their numbers, in turns
   */
  protected final void addTable(
      Results results, Findings findings, String title, String what, String... more) {
    Map<String, String> columns = new LinkedHashMap<>();
    columns.put(what, READS);
    columns.put("mean ms", "/client/mean_ms");
    columns.put("p50 ms", "/client/p50_ms");
    columns.put("p95 ms", "/client/p95_ms");
    columns.put("p99 ms", "/client/p99_ms");
    columns.put("longest ms", "/client/max_ms");
    for (int i = 0; i < more.length; i += 2) {
      columns.put(more[i], more[i + 1]);
    }
    List<String> titles = new ArrayList<>(List.of(CONDITION, SYSTEM));
    titles.addAll(columns.keySet());
    ReportTable table = new ReportTable(title, titles);
    for (String condition : conditions) {
      for (S system : systems) {
        Results measured = of(results, condition, system);
        if (!measured.all().isEmpty()) {
          List<String> row = new ArrayList<>(List.of(condition, EnumNames.text(system)));
          for (String path : columns.values()) {
            row.add(text(measured, path));
          }
          table.row(row);
        }
      }
    }
    findings.add(table);
  }

  private static String text(Results measured, String path) {
    Matcher percentile = PERCENTILE.matcher(path);
    double reads = measured.estimate(READS).map(Estimate::mean).orElse(0.0);
    return percentile.matches() && !Numbers.isKnown(Double.parseDouble(percentile.group(1)), reads)
        ? "-"
        : measured.estimate(path).map(Estimate::plusMinus).orElse("");
  }

  @Override
  public final synchronized void close() throws IOException {
    if (bed != null) {
      bed.close();
    }
  }
}
