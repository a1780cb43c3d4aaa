// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.lab.bench.plan;

import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.hadoopprio.lab.cluster.Role;
import org.hadoopprio.lab.disk.RequestQueue;

/** What the parts of a plan must be together. For one plan. */
final class PlanChecks {

  /** The parts of a system that are keys of daemons. */
  private static final Map<String, Role> PARTS =
      new TreeMap<>(
          Map.of(
              SettingsReader.DATA_NODE, Role.DATANODE,
              SettingsReader.REGION_SERVER, Role.REGIONSERVER));

  private final PlanNode root;
  private final Plan.Cluster cluster;
  private final Map<String, Plan.Load> loads;
  private final Map<String, Plan.TriedSystem> systems;
  private final Map<String, Plan.Condition> conditions;

  PlanChecks(
      PlanNode root,
      Plan.Cluster cluster,
      Map<String, Plan.Load> loads,
      Map<String, Plan.TriedSystem> systems,
      Map<String, Plan.Condition> conditions) {
    this.root = root;
    this.cluster = cluster;
    this.loads = loads;
    this.systems = systems;
    this.conditions = conditions;
  }

  /**
   * Checks all of it.
   *
   * @throws IllegalArgumentException naming the line and what is allowed
   */
  void require() {
    systems.forEach(this::requireOnePolicy);
    requireSameKeys();
    requireAsyncDepth();
    for (Plan.Condition condition : conditions.values()) {
      for (String system : condition.systems()) {
        for (String load : condition.loads().keySet()) {
          requireAsVaried(condition, load, system);
          requireParameters(condition, load, system);
        }
      }
    }
  }

  private void requireOnePolicy(String name, Plan.TriedSystem system) {
    PARTS.forEach(
        (part, daemon) -> {
          for (String key : Tenants.keys(system, daemon)) {
            if (system.keys(daemon).containsKey(key)) {
              throw node(name)
                  .get(PlanReader.TENANTS)
                  .error("tenants beside " + key + "; allowed: one");
            }
          }
        });
  }

  /** A key that a system has set stays until another one sets it, or the daemons have no agent. */
  private void requireSameKeys() {
    PARTS.forEach(this::requireSameKeys);
  }

  private void requireSameKeys(String part, Role daemon) {
    Set<String> all = new TreeSet<>();
    systems.values().forEach(system -> all.addAll(keys(system, daemon)));
    systems.forEach(
        (name, system) -> {
          Set<String> missing = new TreeSet<>(all);
          missing.removeAll(keys(system, daemon));
          if (system.daemons().agent() && !missing.isEmpty()) {
            throw node(name)
                .error(
                    "system "
                        + name
                        + " leaves open what others set of "
                        + part
                        + ": "
                        + String.join(", ", missing));
          }
        });
  }

  private static Set<String> keys(Plan.TriedSystem system, Role daemon) {
    Set<String> keys = new TreeSet<>(system.keys(daemon).keySet());
    keys.addAll(Tenants.keys(system, daemon));
    return keys;
  }

  private PlanNode node(String system) {
    return root.get(PlanReader.SYSTEMS).get(system);
  }

  private void requireAsyncDepth() {
    if (cluster.drives().values().stream().allMatch(drive -> drive.asyncDepth().isEmpty())) {
      return;
    }
    systems.forEach(
        (name, system) -> {
          if (!system.scheduler().equals(RequestQueue.MQ_DEADLINE)) {
            throw node(name)
                .get("scheduler")
                .error(
                    system.scheduler()
                        + " has no async-depth, which a drive sets; allowed: "
                        + RequestQueue.MQ_DEADLINE);
          }
        });
  }

  /** A system's own value would be the same under all values of a condition. */
  private void requireAsVaried(Plan.Condition condition, String load, String system) {
    for (String own : systems.get(system).loads().getOrDefault(load, Map.of()).keySet()) {
      if (condition.value().isPresent() && condition.loads().get(load).containsKey(own)) {
        throw node(system)
            .error(load + "." + own + " is set, too, by condition " + condition.group());
      }
    }
  }

  /** Only a condition and a system together make a load's parameters complete. */
  private void requireParameters(Plan.Condition condition, String name, String system) {
    Plan.Load load = loads.get(name);
    Plan.TriedSystem with = systems.get(system);
    PlanNode node = root.get(PlanReader.LOADS).get(name);
    Map<String, String> parameters = Plan.parameters(name, load, condition, with);
    for (String needed : load.kind().required()) {
      if (!parameters.containsKey(needed)) {
        throw node.error("\"" + needed + "\" is missing, with system " + system);
      }
    }
    try {
      load.kind().check(parameters);
    } catch (BadParameter e) {
      throw place(condition, name, system, e.name()).orElse(node).error(e.getMessage());
    }
    String tenant = parameters.get(Tenants.PARAMETER);
    if (tenant != null && !with.tenants().isEmpty() && !with.tenants().contains(tenant)) {
      throw place(condition, name, system, Tenants.PARAMETER)
          .orElse(node)
          .unknown("tenant of system " + system, tenant, with.tenants());
    }
    if (!load.warmUp().isEmpty()) {
      PlanNode warmUp = node.get(PlanReader.WARM_UP);
      try {
        load.kind().check(Plan.warmUp(name, load, with));
      } catch (BadParameter e) {
        throw warmUp.find(e.name()).orElse(warmUp).error(e.getMessage());
      }
    }
  }

  /** Where a load's parameter has its value: what a system says counts, then a condition. */
  private Optional<PlanNode> place(
      Plan.Condition condition, String load, String system, String parameter) {
    PlanNode group = root.get(PlanReader.CONDITIONS).get(condition.group());
    return find(node(system), PlanReader.LOADS, load, parameter)
        .or(() -> find(group, PlanReader.VARY, load + "." + parameter))
        .or(() -> find(group, PlanReader.WITH, load, parameter))
        .or(() -> find(root, PlanReader.LOADS, load, parameter));
  }

  private static Optional<PlanNode> find(PlanNode from, String... way) {
    Optional<PlanNode> node = Optional.of(from);
    for (String name : way) {
      node = node.flatMap(at -> at.find(name));
    }
    return node;
  }
}
