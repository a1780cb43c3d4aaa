// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.lab.bench.plan;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.hadoopprio.lab.bench.experiment.Cell;
import org.hadoopprio.lab.bench.experiment.CellResult;
import org.hadoopprio.lab.bench.experiment.Experiment;
import org.hadoopprio.lab.bench.experiment.Findings;
import org.hadoopprio.lab.bench.experiment.Results;
import org.hadoopprio.lab.bench.experiment.StepLog;
import org.hadoopprio.lab.disk.ReadAhead;

/** Measures a plan: each condition with each system, the systems one directly after the other. */
public final class PlanExperiment implements Experiment {

  private final Plan plan;
  private final Choice choice;
  private final Path directory;
  private PlanBed bed;

  /**
   * The experiment.
   *
   * @param directory for the cluster
   */
  public PlanExperiment(Plan plan, Choice choice, Path directory) {
    this.plan = plan;
    this.choice = choice;
    this.directory = directory;
  }

  @Override
  public String name() {
    return plan.name();
  }

  @Override
  public String title() {
    return plan.title();
  }

  /** All of the plan that a measurement depends on. */
  @Override
  public Map<String, String> settings() {
    Map<String, String> settings = new LinkedHashMap<>();
    settings.put(ReadAhead.SETTING, Integer.toString(ReadAhead.byDefault().kib()));
    settings.put("drive", choice.drive());
    settings.putAll(Against.settings(plan));
    plan.measuring().forEach((way, node) -> settings.put(way, node.text()));
    // Of a condition only how long it is measured depends on whether the run is quick.
    settings.keySet().removeIf(way -> way.matches("conditions\\.[^.]+\\.quick\\..*"));
    choice
        .seconds()
        .forEach(
            (name, seconds) ->
                settings.put(
                    "conditions." + plan.conditions().get(name).group() + ".seconds",
                    seconds.toString()));
    return settings;
  }

  @Override
  public String place(String setting) {
    PlanNode node = plan.measuring().get(setting);
    return node == null ? "" : " (" + node.place() + ")";
  }

  /** The systems of a condition are next to each other, in the reverse order each second time. */
  @Override
  public List<Cell> plan() {
    List<Cell> cells = new ArrayList<>();
    for (int repetition = 1; repetition <= choice.repetitions(); repetition++) {
      for (String condition : choice.systems().keySet()) {
        List<String> ordered = new ArrayList<>(choice.systems().get(condition));
        if (repetition % 2 == 0) {
          Collections.reverse(ordered);
        }
        for (String system : ordered) {
          Map<String, String> factors = new LinkedHashMap<>();
          factors.put(PlanFindings.CONDITION, condition);
          factors.put(PlanFindings.SYSTEM, system);
          int seconds = PlanBed.EXTRA_SECONDS + choice.seconds().get(condition);
          cells.add(new Cell(factors, repetition, seconds));
        }
      }
    }
    return cells;
  }

  /**
   * The conditions of each repetition by chance; {@link #plan} has the order of their systems.
   * Those with the same daemons are together, as a restart takes as long as a measurement; but
   * where two releases are compared, a system comes directly before or after its twin, each
   * restarted.
   */
  @Override
  public List<Cell> order(List<Cell> cells, long seed) {
    Map<List<Object>, Map<String, List<Cell>>> all = new LinkedHashMap<>();
    for (Cell cell : cells) {
      all.computeIfAbsent(
              Against.isOn(plan)
                  ? List.of(cell.repetition())
                  : List.of(cell.repetition(), system(cell).daemons()),
              each -> new LinkedHashMap<>())
          .computeIfAbsent(cell.factor(PlanFindings.CONDITION), condition -> new ArrayList<>())
          .add(cell);
    }
    Random random = new Random(seed);
    List<Cell> ordered = new ArrayList<>();
    for (Map<String, List<Cell>> conditions : all.values()) {
      List<List<Cell>> shuffled = new ArrayList<>(conditions.values());
      Collections.shuffle(shuffled, random);
      shuffled.forEach(ordered::addAll);
    }
    return ordered;
  }

  @Override
  public void prepare(StepLog log) throws IOException {
    Plan.DriveSetting drive =
        plan.cluster().drives().getOrDefault(choice.drive(), Plan.DriveSetting.DEFAULT);
    List<Cell> cells = plan();
    PlanBed started = PlanBed.start(plan, drive, system(cells.get(0)), directory, log);
    synchronized (this) {
      bed = started;
    }
    // What is missing is better told now than in the middle of the run.
    for (Cell cell : cells) {
      started.require(system(cell));
    }
  }

  private Plan.TriedSystem system(Cell cell) {
    return plan.systems().get(cell.factor(PlanFindings.SYSTEM));
  }

  @Override
  public ObjectNode run(Cell cell, StepLog log) throws IOException {
    String condition = cell.factor(PlanFindings.CONDITION);
    try {
      return bed.measure(
          plan.conditions().get(condition),
          choice.seconds().get(condition),
          system(cell),
          cell.repetition(),
          log);
    } catch (IOException e) {
      // Who asked a daemon that has ended knows of a refused connection, or of a time-out.
      bed.requireRunning();
      throw e;
    }
  }

  @Override
  public Findings evaluate(List<CellResult> results) {
    return new PlanFindings(plan, new Results(results)).draw();
  }

  @Override
  public synchronized void close() throws IOException {
    if (bed != null) {
      bed.close();
    }
  }
}
