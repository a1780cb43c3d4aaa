// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.lab.bench.plan;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import org.hadoopprio.lab.bench.experiment.Estimate;
import org.hadoopprio.lab.bench.experiment.Results;
import org.hadoopprio.lab.bench.experiment.report.ReportTable;

/**
 * Another release of hadoop-prio, which a plan is measured against: each system with the agent has
 * a twin whose daemons are of that release. Clients are of the built project.
 */
public final class Against {

  /** What a twin's name ends with. */
  static final String ENDING = "-before";

  private Against() {}

  /**
   * A plan with the twins.
   *
   * @param release directory of an unpacked release
   * @throws IllegalArgumentException if it is none
   */
  public static Plan of(Plan plan, Path release) {
    Path directory = release.toAbsolutePath().normalize();
    for (String jar : List.of("hdfs-prio-agent.jar", "hbase-prio.jar")) {
      if (!Files.isReadable(directory.resolve(jar))) {
        throw new IllegalArgumentException(
            "\""
                + release
                + "\" to compare with; allowed: the directory of an unpacked release, with "
                + jar);
      }
    }
    Map<String, Plan.TriedSystem> systems = new LinkedHashMap<>();
    plan.systems()
        .forEach(
            (name, system) -> {
              systems.put(name, system);
              if (system.daemons().agent()) {
                systems.put(name + ENDING, system.with(system.daemons().of(directory)));
              }
            });
    Map<String, Plan.Condition> conditions = new LinkedHashMap<>();
    plan.conditions()
        .forEach(
            (name, each) ->
                conditions.put(
                    name,
                    each.with(
                        withTwins(each.systems(), systems),
                        each.quick().with(withTwins(each.quick().systems(), systems)))));
    return plan.with(systems, conditions);
  }

  private static List<String> withTwins(List<String> names, Map<String, Plan.TriedSystem> systems) {
    List<String> all = new ArrayList<>();
    for (String name : names) {
      all.add(name);
      if (systems.containsKey(name + ENDING)) {
        all.add(name + ENDING);
      }
    }
    return all;
  }

  /** The release that a plan is measured against, if it is. */
  static Optional<Path> release(Plan plan) {
    return plan.systems().values().stream()
        .flatMap(system -> system.daemons().release().stream())
        .findFirst();
  }

  /**
   * What each system has to its twin; empty if there is none.
   *
   * @param in the results of each system by the condition's name
   */
  static Optional<ReportTable> table(
      Plan plan, List<Column> columns, Function<String, Function<String, Results>> in) {
    List<Column> plain = new ArrayList<>(columns);
    plain.removeIf(column -> !column.isPlain());
    List<String> titles = new ArrayList<>(List.of(PlanFindings.CONDITION, PlanFindings.SYSTEM));
    plain.forEach(column -> titles.add(column.title()));
    ReportTable table = new ReportTable("Each system / the same of the other release", titles);
    boolean any = false;
    for (String condition : plan.conditions().keySet()) {
      for (String system : plan.systems().keySet()) {
        Results own = in.apply(condition).apply(system);
        Results twin = in.apply(condition).apply(system + ENDING);
        if (!own.all().isEmpty() && !twin.all().isEmpty()) {
          List<String> row = new ArrayList<>(List.of(condition, system));
          plain.forEach(
              column -> row.add(column.ratio(own, twin).map(Estimate::plusMinus).orElse("")));
          table.row(row);
          any = true;
        }
      }
    }
    return any ? Optional.of(table) : Optional.empty();
  }
}
