// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.lab.bench.plan;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.hadoopprio.lab.bench.experiment.Estimate;
import org.hadoopprio.lab.bench.experiment.Findings;
import org.hadoopprio.lab.bench.experiment.Results;
import org.hadoopprio.lab.bench.experiment.Series;
import org.hadoopprio.lab.bench.experiment.Target;
import org.hadoopprio.lab.bench.experiment.report.Figure;
import org.hadoopprio.lab.bench.experiment.report.ReportTable;

/** What follows from the results of a plan. For one use. */
final class PlanFindings {

  static final String CONDITION = "condition";
  static final String SYSTEM = "system";

  private static final List<Target.State> BEST_FIRST =
      List.of(
          Target.State.MET,
          Target.State.UNDETERMINED,
          Target.State.MISSED,
          Target.State.NOT_MEASURED);

  private final Plan plan;
  private final Results results;

  PlanFindings(Plan plan, Results results) {
    this.plan = plan;
    this.results = results;
  }

  private Measured in(String condition) {
    return new Measured(plan, results, condition);
  }

  Findings draw() {
    Findings findings = new Findings();
    results.all().forEach(findings::requireGate);
    plan.conclusions().targets().forEach(target -> findings.add(target(target)));
    plan.groups()
        .forEach(
            (group, conditions) -> {
              if (isVaried(conditions)) {
                addTable(findings, "Results, " + group, conditions);
              }
            });
    Map<String, Plan.Condition> others = new LinkedHashMap<>(plan.conditions());
    others.values().removeIf(condition -> condition.value().isPresent());
    addTable(findings, "Results", others);
    Against.table(plan, List.copyOf(plan.columns().values()), this::in).ifPresent(findings::add);
    plan.conclusions().figures().forEach(figure -> addFigure(findings, figure));
    plan.conclusions().notes().forEach(findings::note);
    return findings.summarizeTargets();
  }

  private static boolean isVaried(Map<String, Plan.Condition> conditions) {
    return conditions.values().stream().anyMatch(condition -> condition.value().isPresent());
  }

  /** The better one of what should hold, and of what may hold in place of it. */
  private Target target(Plan.Requirement wanted) {
    Measured in = in(wanted.condition());
    Optional<Estimate> measured =
        wanted.under().isPresent()
            ? wanted.column().ratio(in.with(wanted.over()), in.with(wanted.under().get()))
            : wanted.column().estimate(wanted.over(), in);
    Target target =
        Target.of(wanted.what(), wanted.bound(), wanted.required(), measured, wanted.source());
    if (target.met()) {
      return target;
    }
    return wanted.or().map(this::target).filter(or -> isAsGood(or, target)).orElse(target);
  }

  private static boolean isAsGood(Target one, Target as) {
    return BEST_FIRST.indexOf(one.state()) <= BEST_FIRST.indexOf(as.state());
  }

  /** Adds a row for each condition and system that was measured, with the columns they have. */
  private void addTable(Findings findings, String title, Map<String, Plan.Condition> all) {
    Map<String, Plan.Condition> conditions = new LinkedHashMap<>(all);
    conditions
        .keySet()
        .removeIf(name -> results.of(cell -> cell.factor(CONDITION).equals(name)).all().isEmpty());
    if (conditions.isEmpty()) {
      return;
    }
    List<Column> columns =
        plan.columns().values().stream()
            .filter(column -> conditions.values().stream().anyMatch(column::isMeasured))
            .collect(Collectors.toList());
    List<String> titles = new ArrayList<>(List.of(CONDITION, SYSTEM));
    columns.forEach(column -> titles.add(column.title()));
    ReportTable table = new ReportTable(title, titles);
    for (String condition : conditions.keySet()) {
      for (String system : plan.systems().keySet()) {
        if (!in(condition).with(system).all().isEmpty()) {
          List<String> row = new ArrayList<>(List.of(condition, system));
          columns.forEach(column -> row.add(column.text(system, in(condition))));
          table.row(row);
        }
      }
    }
    findings.add(table);
  }

  private void addFigure(Findings findings, Plan.Drawing wanted) {
    Figure figure = wanted.over().isPresent() ? lines(wanted) : bars(wanted);
    if (wanted.log()) {
      figure.logY();
    }
    if (figure.series().isEmpty()) {
      findings.note("Figure " + figure.id() + " is not drawn: nothing of it was measured.");
    }
    Series.addIfDrawn(findings, figure);
  }

  private static String id(String text) {
    return text.toLowerCase(Locale.ROOT).replaceAll("[^a-z0-9]+", "-");
  }

  /** A line for each system over the values of a group's parameter. */
  private Figure lines(Plan.Drawing wanted) {
    Column column = wanted.column();
    String group = wanted.over().orElseThrow();
    Map<String, Plan.Condition> conditions = plan.groups().get(group);
    List<Double> values =
        conditions.values().stream()
            .map(condition -> Double.valueOf(condition.value().orElseThrow()))
            .collect(Collectors.toList());
    Figure figure =
        Figure.lines(id(column.title() + "-" + group), plan.title(), group, column.title());
    for (String system : plan.systems().keySet()) {
      Series.addPoints(
          figure,
          system,
          values,
          conditions.keySet().stream().map(name -> column.estimate(system, in(name))));
    }
    return figure;
  }

  private static boolean hasBars(Plan.Drawing wanted, Plan.Condition condition) {
    return wanted.column().isMeasured(condition)
        && wanted.in().map(condition.group()::equals).orElse(true);
  }

  /** A bar for each system that was measured in all conditions with bars. */
  private Figure bars(Plan.Drawing wanted) {
    Column column = wanted.column();
    List<String> conditions =
        plan.conditions().keySet().stream()
            .filter(name -> hasBars(wanted, plan.conditions().get(name)))
            .collect(Collectors.toList());
    Figure figure = Figure.bars(id(column.title()), plan.title(), "", column.title(), conditions);
    for (String system : plan.systems().keySet()) {
      Series.addBars(
          figure, system, conditions.stream().map(name -> column.estimate(system, in(name))));
    }
    return figure;
  }
}
