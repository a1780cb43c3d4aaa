// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.lab.bench.plan;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.hadoopprio.lab.bench.experiment.Target;
import org.hadoopprio.lab.cluster.Role;
import org.hadoopprio.lab.disk.Drive;
import org.hadoopprio.lab.disk.VirtualDisk;

/**
 * An experiment as data: what is measured, with which systems, and what must follow. All maps are
 * in the order of the file.
 *
 * @param name of the results' directory
 * @param title what it shows, in one line
 * @param about what it measures, how long it takes and what it needs, for {@code --help}
 * @param repetitions how often each condition is measured with each system
 * @param data what is written before anything is measured, in this order
 * @param columns of the table, by their titles
 * @param measuring what results must have in common to be comparable: each value of the file that a
 *     measurement depends on, by its way in the file
 */
public record Plan(
    String name,
    String title,
    String about,
    int repetitions,
    Cluster cluster,
    List<Data> data,
    Map<String, Load> loads,
    Map<String, TriedSystem> systems,
    Map<String, Condition> conditions,
    Map<String, Column> columns,
    Conclusions conclusions,
    Map<String, PlanNode> measuring) {

  /**
   * The cluster that all is measured on: one DataNode with one virtual disk.
   *
   * @param dataNodeMib the DataNode's memory with page cache; little, so that reads reach the disk
   * @param filler directory of files that fill the page cache before each measurement
   * @param allowsLateness whether the gate holds, too, where answers are later than it allows by so
   *     little that no client can notice
   * @param drives ways to set the disk, one of which is chosen; the first by default
   * @param dataNode configuration keys that the DataNode starts with
   * @param regionServer the same of the RegionServer
   */
  record Cluster(
      boolean hbase,
      int diskMib,
      int dataNodeMib,
      Optional<String> filler,
      boolean allowsLateness,
      Map<String, DriveSetting> drives,
      Map<String, String> dataNode,
      Map<String, String> regionServer) {}

  /**
   * Which drive the disk is, and how it and its queue are set.
   *
   * @param asyncDepth how many writes mq-deadline has under way that nobody waits for; the kernel's
   *     default if empty
   */
  record DriveSetting(Drive preset, boolean writeCache, Optional<Integer> asyncDepth) {
    /** As drives and kernel come. */
    static final DriveSetting DEFAULT = new DriveSetting(VirtualDisk.DRIVE, true, Optional.empty());
  }

  /**
   * Something that works on the cluster while it is measured.
   *
   * @param warmUp parameters with which it runs before all measurements, on a drive that answers at
   *     once; none if it is empty
   */
  record Load(LoadKind kind, Map<String, String> parameters, Map<String, String> warmUp) {}

  /**
   * What DataNode, Master and RegionServer are started with; they are restarted for another.
   *
   * @param agent whether they have the agent; otherwise they and their clients are stock
   * @param release directory of another release, whose agent and RegionServer part they have
   * @param shortCircuit whether RegionServer and clients read the disk themselves
   */
  record Daemons(boolean agent, Optional<Path> release, boolean shortCircuit) {
    Daemons withoutShortCircuit() {
      return new Daemons(agent, release, false);
    }

    Daemons of(Path other) {
      return new Daemons(agent, Optional.of(other), shortCircuit);
    }
  }

  /**
   * A way to serve what is measured.
   *
   * @param without loads of conditions that it leaves out
   * @param dataNode configuration keys, reloaded
   * @param regionServer the same
   * @param loads parameters of loads that this system changes
   * @param scheduler the kernel's I/O scheduler
   * @param readAhead of the disk; that of the run if empty
   * @param ionice the I/O class of all threads of the RegionServer; they state their own if empty
   * @param tenants of the policy of DataNode and RegionServer; they have none if this is empty
   * @param drivePriority whether the drive serves requests with priority first
   */
  record TriedSystem(
      Daemons daemons,
      Map<String, String> dataNode,
      Map<String, String> regionServer,
      Map<String, Map<String, String>> loads,
      List<String> without,
      String scheduler,
      Optional<String> readAhead,
      Optional<String> ionice,
      List<String> tenants,
      boolean drivePriority) {

    /** The keys that it sets of a DataNode or RegionServer. */
    Map<String, String> keys(Role daemon) {
      return daemon == Role.DATANODE ? dataNode : regionServer;
    }

    TriedSystem with(Daemons other) {
      return with(other, dataNode, regionServer);
    }

    /** The same with other keys of DataNode and RegionServer. */
    TriedSystem with(Map<String, String> ofDataNode, Map<String, String> ofRegionServer) {
      return with(daemons, ofDataNode, ofRegionServer);
    }

    private TriedSystem with(
        Daemons other, Map<String, String> ofDataNode, Map<String, String> ofRegionServer) {
      return new TriedSystem(
          other,
          ofDataNode,
          ofRegionServer,
          loads,
          without,
          scheduler,
          readAhead,
          ionice,
          tenants,
          drivePriority);
    }
  }

  /**
   * What is measured, one after the other, with some systems.
   *
   * @param group the name of all that differ only in a parameter; its own if there are no others
   * @param value that parameter's
   * @param loads with the parameters that this condition changes
   * @param seconds how long
   */
  record Condition(
      String group,
      Optional<String> value,
      Map<String, Map<String, String>> loads,
      List<String> systems,
      int seconds,
      Quick quick) {

    Condition with(List<String> others, Quick inQuickRun) {
      return new Condition(group, value, loads, others, seconds, inQuickRun);
    }

    /** The loads that run with a system. */
    List<String> loads(TriedSystem system) {
      List<String> all = new ArrayList<>(loads.keySet());
      all.removeAll(system.without());
      return all;
    }

    /** Whether only one load runs, with the parameters that another condition gives it. */
    boolean isAlone(String load, Condition other) {
      return loads.keySet().equals(Set.of(load)) && loads.get(load).equals(other.loads.get(load));
    }
  }

  /**
   * A condition in a quick run.
   *
   * @param byDefault whether it is measured without being named
   * @param value whether the value of its parameter is among those that are measured
   */
  record Quick(boolean byDefault, boolean value, List<String> systems, int seconds) {
    Quick with(List<String> others) {
      return new Quick(byDefault, value, others, seconds);
    }
  }

  /** What follows from the results. */
  record Conclusions(List<Requirement> targets, List<Drawing> figures, List<String> notes) {}

  /**
   * A target.
   *
   * @param over the system of the column
   * @param under the system whose column divides it
   * @param condition where it is measured
   * @param or what holds in place of it where it is not met
   */
  record Requirement(
      String what,
      Column column,
      String over,
      Optional<String> under,
      String condition,
      Target.Bound bound,
      double required,
      String source,
      Optional<Requirement> or) {

    Requirement or(Requirement other) {
      return new Requirement(
          what, column, over, under, condition, bound, required, source, Optional.of(other));
    }
  }

  /**
   * A figure of a column with a series for each system.
   *
   * @param over the group of conditions whose parameter is the x axis; bars if empty
   * @param in the group of conditions that have bars; all if empty
   */
  record Drawing(Column column, boolean log, Optional<String> over, Optional<String> in) {}

  /** The conditions of each group, both by their names. */
  Map<String, Map<String, Condition>> groups() {
    Map<String, Map<String, Condition>> groups = new LinkedHashMap<>();
    conditions.forEach(
        (name, condition) ->
            groups
                .computeIfAbsent(condition.group(), g -> new LinkedHashMap<>())
                .put(name, condition));
    return groups;
  }

  /**
   * The condition in which a load of another one is the only one, with the same parameters.
   *
   * @param system with which it is measured
   */
  static Optional<String> alone(
      Map<String, Condition> conditions, String other, String load, String system) {
    return conditions.entrySet().stream()
        .filter(each -> each.getValue().isAlone(load, conditions.get(other)))
        .filter(each -> each.getValue().systems().contains(system))
        .map(Map.Entry::getKey)
        .findFirst();
  }

  /** What a command that runs it says of it. */
  public String description() {
    StringBuilder text = new StringBuilder(about);
    text.append(" Conditions: ").append(String.join(", ", groups().keySet()));
    text.append(". Systems: ").append(String.join(", ", systems.keySet())).append('.');
    if (!cluster.drives().isEmpty()) {
      text.append(" Settings of the drive: ").append(String.join(", ", cluster.drives().keySet()));
      text.append('.');
    }
    return text.toString();
  }

  /** The same with other systems. */
  Plan with(Map<String, TriedSystem> others, Map<String, Condition> withOthers) {
    return new Plan(
        name,
        title,
        about,
        repetitions,
        cluster,
        data,
        loads,
        others,
        withOthers,
        columns,
        conclusions,
        measuring);
  }

  /** The parameters of a load, with what a condition and then a system change of them. */
  Map<String, String> parameters(String load, Condition condition, TriedSystem system) {
    return parameters(load, loads.get(load), condition, system);
  }

  /** Those with which a load runs with a system before all measurements. */
  static Map<String, String> warmUp(String name, Load load, TriedSystem system) {
    Map<String, String> all = new LinkedHashMap<>(load.parameters());
    all.putAll(system.loads().getOrDefault(name, Map.of()));
    all.putAll(load.warmUp());
    return all;
  }

  /** The same before there is a plan. */
  static Map<String, String> parameters(
      String name, Load load, Condition condition, TriedSystem system) {
    Map<String, String> all = new LinkedHashMap<>(load.parameters());
    all.putAll(condition.loads().getOrDefault(name, Map.of()));
    all.putAll(system.loads().getOrDefault(name, Map.of()));
    return all;
  }
}
