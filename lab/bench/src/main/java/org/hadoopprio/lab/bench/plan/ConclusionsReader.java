// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.lab.bench.plan;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.hadoopprio.lab.bench.experiment.Target;

/** Reads what follows from a plan's results: columns, targets and figures. For one plan. */
final class ConclusionsReader {

  private static final Pattern TARGET =
      Pattern.compile(
          "(?<column>.+) of (?<over>[a-z0-9-]+(?:, [a-z0-9-]+)*)(?: / (?<under>[a-z0-9-]+))?"
              + "(?: in (?<groups>[a-z0-9-]+(?:, [a-z0-9-]+)*))?"
              + " (?<bound><=|>=) (?<required>\\d+(?:\\.\\d+)?)");

  private static final String TARGET_ALLOWED =
      "allowed: COLUMN of SYSTEM [/ SYSTEM] [in CONDITION], then <= or >=, and a number";

  private static final String OWN_TARGET = "target of the project";

  private final PlanNode root;
  private final Map<String, Plan.Load> loads;
  private final Map<String, Plan.TriedSystem> systems;
  private final Map<String, Plan.Condition> conditions;
  private final Map<String, String> byGroup = new LinkedHashMap<>();
  private final Map<String, Column> columns = new LinkedHashMap<>();

  ConclusionsReader(
      PlanNode root,
      Map<String, Plan.Load> loads,
      Map<String, Plan.TriedSystem> systems,
      Map<String, Plan.Condition> conditions) {
    this.root = root;
    this.loads = loads;
    this.systems = systems;
    this.conditions = conditions;
    conditions.forEach((name, condition) -> byGroup.put(condition.group(), name));
    root.get("columns").map().forEach((title, node) -> columns.put(title, column(title, node)));
  }

  Map<String, Column> columns() {
    return columns;
  }

  Plan.Conclusions read() {
    List<Plan.Requirement> targets = new ArrayList<>();
    list("targets").forEach(node -> targets.addAll(targets(node)));
    return new Plan.Conclusions(
        targets,
        list("figures").stream().map(this::drawing).collect(Collectors.toList()),
        list("notes").stream().map(PlanNode::text).collect(Collectors.toList()));
  }

  private List<PlanNode> list(String part) {
    return root.find(part).map(PlanNode::list).orElse(List.of());
  }

  /** {@code LOAD.FIGURE}, or that by a {@link #divisor}. */
  private Column column(String title, PlanNode node) {
    String[] parts = node.text().split(" / ", 2);
    String[] own = figure(parts[0], node);
    Optional<Divisor> divisor =
        parts.length == 1 ? Optional.empty() : Optional.of(divisor(parts[1], node));
    Column column = new Column(title, own[0], own[1], divisor);
    if (column.isOfPart()) {
      requireAlone(column, node);
    }
    return column;
  }

  /** {@code SYSTEM}, {@code part} or {@code LOAD.FIGURE}. */
  private Divisor divisor(String text, PlanNode node) {
    if (systems.containsKey(text)) {
      return new Divisor.OtherSystem(text);
    }
    if (text.equals(Divisor.Part.NAME)) {
      return new Divisor.Part();
    }
    if (!text.contains(".")) {
      throw node.error(
          unknown("system", text, systems) + ", " + Divisor.Part.NAME + ", or LOAD.FIGURE");
    }
    String[] other = figure(text, node);
    return new Divisor.OtherFigure(other[0], other[1]);
  }

  /** Checks that each load is measured alone, too, as it is in the conditions with the column. */
  private void requireAlone(Column column, PlanNode node) {
    if (!column.figure().equals(Column.THROUGHPUT)) {
      throw node.error("no part of \"" + column.figure() + "\"; allowed: of " + Column.THROUGHPUT);
    }
    conditions.forEach(
        (name, condition) -> {
          if (column.isMeasured(condition)) {
            for (String system : condition.systems()) {
              condition.loads(systems.get(system)).stream()
                  .filter(load -> List.of(load, Column.ALL).contains(column.load()))
                  .forEach(load -> requireAlone(node, name, load, system));
            }
          }
        });
  }

  private void requireAlone(PlanNode node, String condition, String load, String system) {
    if (!loads.get(load).kind().figures().contains(Column.THROUGHPUT)) {
      throw node.error(
          "no figure \""
              + Column.THROUGHPUT
              + "\" of "
              + load
              + " in condition "
              + condition
              + "; allowed: loads that have one");
    }
    if (Plan.alone(conditions, condition, load, system).isEmpty()) {
      throw node.error(
          "no condition has only \""
              + load
              + "\", as it is in "
              + condition
              + ", with system "
              + system
              + "; allowed: what is measured alone, too");
    }
  }

  private String[] figure(String text, PlanNode node) {
    String[] parts = text.split("\\.", 2);
    if (parts.length != 2) {
      throw node.error("no figure \"" + text + "\"; allowed: LOAD.FIGURE");
    }
    List<String> known = Column.OF_ALL.get(parts[0]);
    if (known == null) {
      if (!loads.containsKey(parts[0])) {
        throw node.error(
            unknown("load", parts[0], loads) + ", " + String.join(", ", Column.OF_ALL.keySet()));
      }
      known = loads.get(parts[0]).kind().figures();
    }
    if (!known.contains(parts[1])) {
      throw node.error(
          "no figure \""
              + parts[1]
              + "\" of "
              + parts[0]
              + "; allowed: "
              + String.join(", ", known));
    }
    return parts;
  }

  private static String unknown(String what, String name, Map<String, ?> allowed) {
    return "no " + what + " \"" + name + "\"; allowed: " + String.join(", ", allowed.keySet());
  }

  private static <T> T known(PlanNode node, String what, String name, Map<String, T> allowed) {
    if (!allowed.containsKey(name)) {
      throw node.unknown(what, name, allowed.keySet());
    }
    return allowed.get(name);
  }

  /** The targets of an entry: one for each of its systems under each of its conditions. */
  private List<Plan.Requirement> targets(PlanNode entry) {
    entry.map(List.of("require", "or", "source"));
    String source = entry.find("source").map(PlanNode::text).orElse(OWN_TARGET);
    List<Plan.Requirement> all = requirements(entry.get("require"), source);
    if (entry.find("or").isEmpty()) {
      return all;
    }
    List<Plan.Requirement> others = requirements(entry.get("or"), source);
    if (others.size() != all.size()) {
      throw entry.get("or").error("for others than \"require\"; allowed: the same conditions");
    }
    return IntStream.range(0, all.size())
        .mapToObj(i -> all.get(i).or(others.get(i)))
        .collect(Collectors.toList());
  }

  private List<Plan.Requirement> requirements(PlanNode node, String source) {
    Matcher matcher = TARGET.matcher(node.text());
    if (!matcher.matches()) {
      throw node.error("no target \"" + node.text() + "\"; " + TARGET_ALLOWED);
    }
    Column column = known(node, "column", matcher.group("column"), columns);
    Optional<String> under = Optional.ofNullable(matcher.group("under"));
    under.ifPresent(system -> known(node, "system", system, systems));
    if (under.isPresent() && !column.isPlain()) {
      throw node.error("column " + column.title() + " is a ratio; allowed: one system");
    }
    List<String> overs = List.of(matcher.group("over").split(", ", -1));
    overs.forEach(system -> known(node, "system", system, systems));
    List<Plan.Requirement> targets = new ArrayList<>();
    for (String condition : chosen(node, column, matcher.group("groups"))) {
      for (String over : overs) {
        requireMeasured(node, column, over, condition);
        under.ifPresent(system -> requireMeasured(node, column, system, condition));
        column.reference().ifPresent(system -> requireMeasured(node, column, system, condition));
        targets.add(
            new Plan.Requirement(
                column.title()
                    + " of "
                    + over
                    + under.map(u -> " / " + u).orElse("")
                    + (conditions.size() == 1 ? "" : " in " + condition),
                column,
                over,
                under,
                condition,
                matcher.group("bound").equals(">=") ? Target.Bound.AT_LEAST : Target.Bound.AT_MOST,
                Double.parseDouble(matcher.group("required")),
                source,
                Optional.empty()));
      }
    }
    if (targets.isEmpty()) {
      throw node.error("no condition has load \"" + column.load() + "\"; allowed: what is run");
    }
    return targets;
  }

  /** A target of what is never measured would never be missed. */
  private void requireMeasured(PlanNode node, Column column, String system, String name) {
    Plan.Condition condition = conditions.get(name);
    if (column.isOfPart() && condition.loads().size() == 1) {
      throw node.error("condition " + name + " has one load, which has all; allowed: more");
    }
    if (!condition.systems().contains(system)) {
      throw node.unknown("system of condition " + name, system, condition.systems());
    }
    List<String> loads = condition.loads(systems.get(system));
    for (String load : column.loads()) {
      if (!loads.contains(load)) {
        throw node.error(
            "system "
                + system
                + " has no load \""
                + load
                + "\" in condition "
                + name
                + "; allowed: "
                + String.join(", ", loads));
      }
    }
  }

  /** The conditions of some groups; all that have the column if none are named. */
  private List<String> chosen(PlanNode node, Column column, String groups) {
    List<String> named = groups == null ? List.of() : List.of(groups.split(", ", -1));
    named.forEach(group -> known(node, "condition", group, byGroup));
    return conditions.entrySet().stream()
        .filter(entry -> named.isEmpty() || named.contains(entry.getValue().group()))
        .filter(entry -> !named.isEmpty() || column.isMeasured(entry.getValue()))
        .map(Map.Entry::getKey)
        .collect(Collectors.toList());
  }

  private Plan.Drawing drawing(PlanNode node) {
    node.map(List.of("column", "log", "over", "in"));
    PlanNode column = node.get("column");
    Optional<PlanNode> over = node.find("over");
    over.ifPresent(
        group -> {
          Plan.Condition first = conditions.get(known(group, "condition", group.text(), byGroup));
          if (!first.value().orElse("").matches("\\d+(\\.\\d+)?")) {
            throw group.error(
                "condition " + group.text() + " varies no number; allowed: one that does");
          }
        });
    return new Plan.Drawing(
        known(column, "column", column.text(), columns),
        node.find("log").map(PlanNode::flag).orElse(false),
        over.map(PlanNode::text),
        node.find("in").map(group -> group.oneOf("condition", byGroup.keySet())));
  }
}
