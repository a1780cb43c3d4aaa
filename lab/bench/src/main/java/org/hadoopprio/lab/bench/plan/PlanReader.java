// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.lab.bench.plan;

import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.hadoopprio.hbase.config.HBaseKeys;
import org.hadoopprio.hdfs.config.HdfsKeys;
import org.hadoopprio.lab.bench.experiment.EnumNames;
import org.hadoopprio.lab.disk.ReadAhead;
import org.hadoopprio.lab.disk.RequestQueue;

/**
 * Reads what a plan measures. Whatever is not as it must be is an {@link IllegalArgumentException}
 * that names the line and what is allowed. For one plan.
 */
public final class PlanReader {

  private static final String CLUSTER = "cluster";
  private static final String DATA = "data";
  private static final String LOADS = "loads";
  private static final String SYSTEMS = "systems";
  private static final String CONDITIONS = "conditions";

  /** What a measurement depends on; the rest may change between a run and its evaluation. */
  private static final List<String> MEASURING = List.of(CLUSTER, DATA, LOADS, SYSTEMS, CONDITIONS);

  private static final List<String> ALL =
      List.of(
          "title",
          "about",
          "repetitions",
          CLUSTER,
          DATA,
          LOADS,
          SYSTEMS,
          CONDITIONS,
          "columns",
          "targets",
          "figures",
          "notes");

  private static final int USUAL_REPETITIONS = 3;
  private static final int MAX_SECONDS = 3600;
  private static final int MAX_COUNT = 1000;

  private final PlanNode root;
  private final Map<String, Plan.Load> loads = new LinkedHashMap<>();
  private final Map<String, Plan.TriedSystem> systems = new LinkedHashMap<>();
  private final Map<String, Plan.Condition> conditions = new LinkedHashMap<>();

  private PlanReader(PlanNode root) {
    this.root = root;
  }

  /**
   * Reads a plan.
   *
   * @param name of the plan
   * @param file the file's name, for messages
   */
  public static Plan read(String name, String file, String text) {
    return new PlanReader(PlanNode.parse(file, text)).read(name);
  }

  private Plan read(String name) {
    root.map(ALL);
    names(LOADS).forEach((load, node) -> loads.put(load, load(node)));
    names(SYSTEMS).forEach((system, node) -> systems.put(system, system(node)));
    requireSameKeys();
    names(CONDITIONS).forEach(this::addConditions);
    requireParameters();
    ConclusionsReader conclusions = new ConclusionsReader(root, loads, systems, conditions);
    Map<String, PlanNode> measuring = new LinkedHashMap<>();
    MEASURING.forEach(part -> measuring.putAll(root.get(part).leaves(part)));
    return new Plan(
        name,
        root.get("title").text(),
        root.find("about").map(PlanNode::text).orElse(""),
        root.find("repetitions").map(n -> n.number(1, MAX_COUNT)).orElse(USUAL_REPETITIONS),
        SettingsReader.cluster(root.get(CLUSTER)),
        root.get(DATA).list().stream().map(SettingsReader::data).collect(Collectors.toList()),
        loads,
        systems,
        conditions,
        conclusions.columns(),
        conclusions.read(),
        measuring);
  }

  /** The entries of a part, at least one, whose names can be those of files. */
  private Map<String, PlanNode> names(String part) {
    Map<String, PlanNode> entries = root.get(part).map();
    if (entries.isEmpty()) {
      throw root.get(part).error("there are no " + part + "; allowed: one or more");
    }
    entries.forEach(
        (name, node) -> {
          if (!name.matches("[a-z0-9][a-z0-9-]*") || Column.OF_ALL.containsKey(name)) {
            throw node.error(
                "\""
                    + name
                    + "\" as a name; allowed: a-z, 0-9 and -, and not "
                    + String.join(", ", Column.OF_ALL.keySet()));
          }
        });
    return entries;
  }

  private static Plan.Load load(PlanNode node) {
    Map<String, String> parameters = new LinkedHashMap<>(scalars(node));
    parameters.remove("run");
    LoadKind kind = EnumNames.of(LoadKind.class, node.get("run").oneOf("load", LoadKind.names()));
    Map<String, String> warmUp = node.find("warm-up").map(PlanNode::texts).orElse(Map.of());
    requireKnown(kind, node, parameters.keySet());
    node.find("warm-up").ifPresent(changes -> requireKnown(kind, changes, warmUp.keySet()));
    return new Plan.Load(kind, parameters, warmUp);
  }

  private static Map<String, String> scalars(PlanNode node) {
    Map<String, PlanNode> entries = new LinkedHashMap<>(node.map());
    entries.remove("warm-up");
    Map<String, String> scalars = new LinkedHashMap<>();
    entries.forEach((name, value) -> scalars.put(name, value.text()));
    return scalars;
  }

  private static void requireKnown(LoadKind kind, PlanNode node, Collection<String> names) {
    List<String> known = new ArrayList<>(kind.required());
    known.addAll(kind.optional());
    for (String name : names) {
      if (!known.contains(name)) {
        throw node.error(
            "no parameter \""
                + name
                + "\" of "
                + EnumNames.text(kind)
                + "; allowed: "
                + String.join(", ", known));
      }
    }
  }

  /** Parameters of loads that a system or a condition changes. */
  private Map<String, Map<String, String>> changes(Map<String, PlanNode> changed) {
    Map<String, Map<String, String>> changes = new LinkedHashMap<>();
    changed.forEach(
        (load, node) -> {
          if (!loads.containsKey(load)) {
            throw node.unknown("load", load, loads.keySet());
          }
          Map<String, String> parameters = node.texts();
          requireKnown(loads.get(load).kind(), node, parameters.keySet());
          changes.put(load, parameters);
        });
    return changes;
  }

  private Plan.TriedSystem system(PlanNode node) {
    node.map(
        List.of(
            SettingsReader.DATA_NODE,
            SettingsReader.REGION_SERVER,
            LOADS,
            "without",
            "scheduler",
            "read-ahead"));
    Optional<PlanNode> readAhead = node.find("read-ahead");
    readAhead.ifPresent(
        value -> SettingsReader.checked(value, () -> ReadAhead.parse(value.text())));
    return new Plan.TriedSystem(
        SettingsReader.liveKeys(node.find(SettingsReader.DATA_NODE), HdfsKeys.all()),
        SettingsReader.liveKeys(node.find(SettingsReader.REGION_SERVER), HBaseKeys.all()),
        changes(node.find(LOADS).map(n -> n.map()).orElse(Map.of())),
        node.find("without").map(n -> texts(n, "load", loads.keySet())).orElse(List.of()),
        node.find("scheduler").map(PlanNode::text).orElse(RequestQueue.MQ_DEADLINE),
        readAhead.map(PlanNode::text));
  }

  /** A key that a system has set stays until another one sets it. */
  private void requireSameKeys() {
    for (String part : List.of(SettingsReader.DATA_NODE, SettingsReader.REGION_SERVER)) {
      Set<String> all = new TreeSet<>();
      systems.keySet().forEach(system -> all.addAll(keysOf(system, part)));
      for (String system : systems.keySet()) {
        Set<String> missing = new TreeSet<>(all);
        missing.removeAll(keysOf(system, part));
        if (!missing.isEmpty()) {
          throw root.get(SYSTEMS)
              .get(system)
              .error(
                  "system "
                      + system
                      + " leaves open what others set of "
                      + part
                      + ": "
                      + String.join(", ", missing));
        }
      }
    }
  }

  private Set<String> keysOf(String system, String part) {
    Plan.TriedSystem of = systems.get(system);
    return (part.equals(SettingsReader.DATA_NODE) ? of.dataNode() : of.regionServer()).keySet();
  }

  /** Adds a condition, or one for each value of a parameter. */
  private void addConditions(String group, PlanNode node) {
    node.map(List.of(LOADS, "with", "vary", SYSTEMS, "seconds", "quick"));
    Map<String, PlanNode> vary = node.find("vary").map(n -> n.map()).orElse(Map.of());
    if (vary.isEmpty()) {
      conditions.put(group, condition(group, node, Optional.empty()));
      return;
    }
    if (vary.size() > 1) {
      throw node.get("vary").error("more than one; allowed: one LOAD.PARAMETER");
    }
    Map.Entry<String, PlanNode> only = vary.entrySet().iterator().next();
    if (only.getValue().list().isEmpty()) {
      throw only.getValue().error("no value; allowed: one or more");
    }
    for (PlanNode value : only.getValue().list()) {
      if (!value.text().matches("[A-Za-z0-9._-]+")) {
        throw value.error("\"" + value.text() + "\" varies; allowed: letters, digits, . _ -");
      }
      conditions.put(
          group + "-" + value.text(),
          condition(group, node, Optional.of(Map.entry(only.getKey(), value))));
    }
  }

  private Plan.Condition condition(
      String group, PlanNode node, Optional<Map.Entry<String, PlanNode>> varied) {
    Map<String, Map<String, String>> with =
        new LinkedHashMap<>(changes(node.find("with").map(n -> n.map()).orElse(Map.of())));
    varied.ifPresent(entry -> add(with, entry.getKey(), entry.getValue()));
    Map<String, Map<String, String>> chosen = new LinkedHashMap<>();
    for (PlanNode load : node.get(LOADS).list()) {
      String name = load.oneOf("load", loads.keySet());
      chosen.put(name, with.getOrDefault(name, Map.of()));
    }
    for (String load : with.keySet()) {
      if (!chosen.containsKey(load)) {
        throw node.error(
            "parameters of \""
                + load
                + "\", which is not run; allowed: of "
                + String.join(", ", chosen.keySet()));
      }
    }
    List<String> all = systems(node.find(SYSTEMS), systems.keySet());
    int seconds = node.get("seconds").number(1, MAX_SECONDS);
    return new Plan.Condition(
        group,
        varied.map(entry -> entry.getValue().text()),
        chosen,
        all,
        seconds,
        quick(node.find("quick"), varied.map(entry -> entry.getValue().text()), all, seconds));
  }

  private Plan.Quick quick(
      Optional<PlanNode> node, Optional<String> value, List<String> systems, int seconds) {
    if (node.isEmpty()) {
      return new Plan.Quick(true, true, systems, seconds);
    }
    PlanNode quick = node.get();
    quick.map(List.of("measured", "vary", SYSTEMS, "seconds"));
    Optional<PlanNode> values = quick.find("vary");
    return new Plan.Quick(
        quick.find("measured").map(PlanNode::flag).orElse(true),
        values.isEmpty()
            || values.get().list().stream().anyMatch(v -> v.text().equals(value.orElse(""))),
        systems(quick.find(SYSTEMS), systems),
        quick.find("seconds").map(n -> n.number(1, MAX_SECONDS)).orElse(seconds));
  }

  /** The texts of a list, which are among those allowed. */
  private static List<String> texts(PlanNode list, String what, Collection<String> allowed) {
    return list.list().stream().map(each -> each.oneOf(what, allowed)).collect(Collectors.toList());
  }

  /** The systems of a list; all that there are if there is none. */
  private static List<String> systems(Optional<PlanNode> list, Collection<String> all) {
    return list.map(some -> texts(some, "system", all)).orElse(List.copyOf(all));
  }

  /** Adds the value of {@code LOAD.PARAMETER}. */
  private void add(Map<String, Map<String, String>> with, String way, PlanNode value) {
    String[] parts = way.split("\\.", 2);
    if (parts.length != 2 || !loads.containsKey(parts[0])) {
      throw value.error(
          "no load of \""
              + way
              + "\"; allowed: LOAD.PARAMETER, of "
              + String.join(", ", loads.keySet()));
    }
    requireKnown(loads.get(parts[0]).kind(), value, List.of(parts[1]));
    Map<String, String> parameters = new LinkedHashMap<>(with.getOrDefault(parts[0], Map.of()));
    parameters.put(parts[1], value.text());
    with.put(parts[0], parameters);
  }

  /** Only a condition and a system together make a load's parameters complete. */
  private void requireParameters() {
    for (Plan.Condition condition : conditions.values()) {
      for (String system : condition.systems()) {
        for (String name : condition.loads().keySet()) {
          PlanNode node = root.get(LOADS).get(name);
          Map<String, String> parameters =
              Plan.parameters(name, loads.get(name), condition, systems.get(system));
          requireAsVaried(condition, name, system);
          for (String needed : loads.get(name).kind().required()) {
            if (!parameters.containsKey(needed)) {
              throw node.error("\"" + needed + "\" is missing, with system " + system);
            }
          }
          SettingsReader.checked(node, () -> loads.get(name).kind().check(parameters));
        }
      }
    }
  }

  /** A system's own value would be the same under all values of a condition. */
  private void requireAsVaried(Plan.Condition condition, String load, String system) {
    for (String own : systems.get(system).loads().getOrDefault(load, Map.of()).keySet()) {
      if (condition.value().isPresent() && condition.loads().get(load).containsKey(own)) {
        throw root.get(SYSTEMS)
            .get(system)
            .error(load + "." + own + " is set, too, by condition " + condition.group());
      }
    }
  }
}
