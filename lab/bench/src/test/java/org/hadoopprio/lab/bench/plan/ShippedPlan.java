// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.lab.bench.plan;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;
import org.hadoopprio.lab.bench.experiment.Cell;
import org.hadoopprio.lab.bench.experiment.CellResult;
import org.hadoopprio.lab.bench.experiment.Findings;

/** A plan that is shipped, and made-up results of it. */
final class ShippedPlan {

  private static final double USUAL = 100;

  private final Plan plan;
  private final PlanExperiment experiment;
  private final Map<String, Double> figures = new HashMap<>();
  private boolean valid = true;

  ShippedPlan(Plan plan, int repetitions) {
    this.plan = plan;
    this.experiment = experiment(plan, ask(false), repetitions, Path.of("unused"));
  }

  static String text(String name) throws IOException {
    return Files.readString(Path.of("plans", name + ".yaml"));
  }

  static Plan read(String name) throws IOException {
    return PlanReader.read(name.replace('/', '-'), name + ".yaml", text(name));
  }

  /** Asks for some conditions; for all that are usual if none is named. */
  static Choice.Wish ask(boolean quick, String... conditions) {
    return new Choice.Wish(
        quick, List.of(conditions), List.of(), Optional.empty(), Optional.empty());
  }

  static PlanExperiment experiment(Plan plan, Choice.Wish wish, int repetitions, Path directory) {
    return new PlanExperiment(plan, Choice.of(plan, wish, repetitions), directory);
  }

  PlanExperiment experiment() {
    return experiment;
  }

  /**
   * Sets a figure; all others are 100.
   *
   * @param name {@code [CONDITION] SYSTEM LOAD.FIGURE}
   */
  ShippedPlan with(String name, double value) {
    figures.put(name, value);
    return this;
  }

  /** No gate holds. */
  ShippedPlan invalid() {
    valid = false;
    return this;
  }

  private double figure(Cell cell, String name) {
    String group = plan.conditions().get(cell.factor("condition")).group();
    String own = cell.factor("system") + " " + name;
    return figures.getOrDefault(group + " " + own, figures.getOrDefault(own, USUAL));
  }

  private CellResult result(Cell cell) {
    ObjectNode measured = new ObjectMapper().createObjectNode();
    ObjectNode loads = measured.putObject(Column.LOADS);
    Plan.TriedSystem system = plan.systems().get(cell.factor("system"));
    for (String load : plan.conditions().get(cell.factor("condition")).loads(system)) {
      ObjectNode own = loads.putObject(load);
      for (String figure : plan.loads().get(load).kind().figures()) {
        own.put(figure, figure(cell, load + "." + figure));
      }
    }
    Column.OF_ALL.forEach(
        (name, all) -> {
          ObjectNode own = measured.putObject(name);
          all.forEach(figure -> own.put(figure, figure(cell, name + "." + figure)));
        });
    measured.putObject("gate").put("valid", valid).putArray("reasons").add("late");
    return new CellResult(cell, measured);
  }

  /** What follows from all cells. */
  Findings findings() {
    return findings(cell -> true);
  }

  /** What follows if only some were measured. */
  Findings findings(Predicate<Cell> measured) {
    List<CellResult> results = new ArrayList<>();
    experiment.plan().stream().filter(measured).forEach(cell -> results.add(result(cell)));
    return experiment.evaluate(results);
  }
}
