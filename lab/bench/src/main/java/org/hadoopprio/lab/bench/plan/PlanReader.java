// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.lab.bench.plan;

import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
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

  static final String CLUSTER = "cluster";
  private static final String DATA = "data";
  static final String LOADS = "loads";
  static final String SYSTEMS = "systems";
  static final String CONDITIONS = "conditions";
  static final String WITH = "with";
  static final String VARY = "vary";
  static final String WARM_UP = "warm-up";
  static final String TENANTS = "tenants";
  private static final String QUICK = "quick";

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
    names(CONDITIONS).forEach(this::addConditions);
    Plan.Cluster cluster = SettingsReader.cluster(root.get(CLUSTER));
    new PlanChecks(root, cluster, loads, systems, conditions).require();
    ConclusionsReader conclusions = new ConclusionsReader(root, loads, systems, conditions);
    Map<String, PlanNode> measuring = new LinkedHashMap<>();
    MEASURING.forEach(part -> measuring.putAll(root.get(part).leaves(part)));
    return new Plan(
        name,
        root.get("title").text(),
        root.find("about").map(PlanNode::text).orElse(""),
        root.find("repetitions").map(n -> n.number(1, MAX_COUNT)).orElse(USUAL_REPETITIONS),
        cluster,
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
    LoadKind kind = EnumNames.of(LoadKind.class, node.get("run").oneOf("load", LoadKind.names()));
    Map<String, PlanNode> parameters = new LinkedHashMap<>(node.map());
    parameters.remove("run");
    PlanNode warmUp = parameters.remove(WARM_UP);
    return new Plan.Load(
        kind, known(kind, parameters), warmUp == null ? Map.of() : known(kind, warmUp.map()));
  }

  /** The texts of parameters that a kind of load has. */
  private static Map<String, String> known(LoadKind kind, Map<String, PlanNode> parameters) {
    List<String> known = new ArrayList<>(kind.required());
    known.addAll(kind.optional());
    Map<String, String> texts = new LinkedHashMap<>();
    parameters.forEach(
        (name, value) -> {
          if (!known.contains(name)) {
            throw value.unknown("parameter of " + EnumNames.text(kind), name, known);
          }
          texts.put(name, value.text());
        });
    return texts;
  }

  /** Parameters of loads that a system or a condition changes. */
  private Map<String, Map<String, String>> changes(Map<String, PlanNode> changed) {
    Map<String, Map<String, String>> changes = new LinkedHashMap<>();
    changed.forEach(
        (load, node) -> {
          if (!loads.containsKey(load)) {
            throw node.unknown("load", load, loads.keySet());
          }
          changes.put(load, known(loads.get(load).kind(), node.map()));
        });
    return changes;
  }

  private Plan.TriedSystem system(PlanNode node) {
    node.map(
        List.of(
            SettingsReader.DATA_NODE,
            SettingsReader.REGION_SERVER,
            LOADS,
            "agent",
            "short-circuit",
            "without",
            "scheduler",
            "read-ahead",
            "ionice",
            TENANTS,
            "drive-priority"));
    Optional<PlanNode> readAhead = node.find("read-ahead");
    readAhead.ifPresent(
        value -> SettingsReader.checked(value, () -> ReadAhead.parse(value.text())));
    Plan.Daemons daemons =
        new Plan.Daemons(
            flag(node, "agent", true), Optional.empty(), flag(node, "short-circuit", false));
    for (String part : List.of(SettingsReader.DATA_NODE, SettingsReader.REGION_SERVER, TENANTS)) {
      if (!daemons.agent() && node.find(part).isPresent()) {
        throw node.find(part).get().error(part + " without hadoop-prio's agent; allowed: none");
      }
    }
    return new Plan.TriedSystem(
        daemons,
        SettingsReader.liveKeys(node.find(SettingsReader.DATA_NODE), HdfsKeys.all()),
        SettingsReader.liveKeys(node.find(SettingsReader.REGION_SERVER), HBaseKeys.all()),
        changes(node.find(LOADS).map(n -> n.map()).orElse(Map.of())),
        node.find("without").map(n -> texts(n, "load", loads.keySet())).orElse(List.of()),
        node.find("scheduler").map(PlanNode::text).orElse(RequestQueue.MQ_DEADLINE),
        readAhead.map(PlanNode::text),
        node.find("ionice").map(value -> value.oneOf("I/O class", IoNice.CLASSES)),
        node.find(TENANTS).map(SettingsReader::tenants).orElse(List.of()),
        flag(node, "drive-priority", false));
  }

  private static boolean flag(PlanNode node, String name, boolean byDefault) {
    return node.find(name).map(PlanNode::flag).orElse(byDefault);
  }

  /** Adds a condition, or one for each value of a parameter. */
  private void addConditions(String group, PlanNode node) {
    node.map(List.of(LOADS, WITH, VARY, SYSTEMS, "seconds", QUICK));
    Map<String, PlanNode> vary = node.find(VARY).map(n -> n.map()).orElse(Map.of());
    if (vary.isEmpty()) {
      requireVaried(node, List.of());
      conditions.put(group, condition(group, node, Optional.empty()));
      return;
    }
    if (vary.size() > 1) {
      throw node.get(VARY).error("more than one; allowed: one LOAD.PARAMETER");
    }
    Map.Entry<String, PlanNode> only = vary.entrySet().iterator().next();
    if (only.getValue().list().isEmpty()) {
      throw only.getValue().error("no value; allowed: one or more");
    }
    List<String> values = new ArrayList<>();
    for (PlanNode value : only.getValue().list()) {
      if (!value.text().matches("[A-Za-z0-9._-]+")) {
        throw value.error("\"" + value.text() + "\" varies; allowed: letters, digits, . _ -");
      }
      values.add(value.text());
      conditions.put(
          group + "-" + value.text(),
          condition(group, node, Optional.of(Map.entry(only.getKey(), value))));
    }
    requireVaried(node, values);
  }

  /** What a quick run varies is some of what is varied. */
  private static void requireVaried(PlanNode node, List<String> values) {
    node.find(QUICK)
        .flatMap(quick -> quick.find(VARY))
        .ifPresent(some -> some.list().forEach(value -> value.oneOf("value", values)));
  }

  private Plan.Condition condition(
      String group, PlanNode node, Optional<Map.Entry<String, PlanNode>> varied) {
    Map<String, Map<String, String>> with =
        new LinkedHashMap<>(changes(node.find(WITH).map(n -> n.map()).orElse(Map.of())));
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
        quick(node.find(QUICK), varied.map(entry -> entry.getValue().text()), all, seconds));
  }

  private Plan.Quick quick(
      Optional<PlanNode> node, Optional<String> value, List<String> systems, int seconds) {
    if (node.isEmpty()) {
      return new Plan.Quick(true, true, systems, seconds);
    }
    PlanNode quick = node.get();
    quick.map(List.of("measured", VARY, SYSTEMS, "seconds"));
    Optional<PlanNode> values = quick.find(VARY);
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
    Map<String, String> parameters = new LinkedHashMap<>(with.getOrDefault(parts[0], Map.of()));
    parameters.putAll(known(loads.get(parts[0]).kind(), Map.of(parts[1], value)));
    with.put(parts[0], parameters);
  }
}
