// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.lab.bench.plan;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import org.apache.commons.codec.binary.Hex;
import org.apache.commons.codec.digest.DigestUtils;
import org.hadoopprio.lab.bench.experiment.Results;
import org.hadoopprio.lab.bench.experiment.report.ReportTable;
import org.hadoopprio.lab.cluster.Installation;

/**
 * Another release of hadoop-prio, which a plan is measured against: each system with the agent has
 * a twin whose daemons are of that release. Clients and jobs are of the built project, also where
 * they read the disk themselves.
 */
public final class Against {

  /** What a twin's name ends with. */
  static final String ENDING = "-before";

  private static final String AGENT = "hdfs-prio-agent.jar";
  private static final String HBASE = "hbase-prio.jar";

  private Against() {}

  /**
   * A plan with the twins.
   *
   * @param release directory of an unpacked release
   * @throws IllegalArgumentException if it is none
   */
  public static Plan of(Plan plan, Path release) {
    Path directory = release.toAbsolutePath().normalize();
    for (String jar : List.of(AGENT, HBASE)) {
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

  /** Names of systems, each with that of its twin behind it if it has one. */
  public static List<String> withTwins(List<String> names, Map<String, Plan.TriedSystem> systems) {
    List<String> all = new ArrayList<>();
    for (String name : names) {
      all.add(name);
      if (systems.containsKey(name + ENDING)) {
        all.add(name + ENDING);
      }
    }
    return all;
  }

  /** Whether a plan is measured against another release. */
  static boolean isOn(Plan plan) {
    return release(plan).isPresent();
  }

  private static Optional<Path> release(Plan plan) {
    return plan.systems().values().stream()
        .flatMap(system -> system.daemons().release().stream())
        .findFirst();
  }

  /** What tells the two releases of a plan apart from others; nothing if it is measured alone. */
  static Map<String, String> settings(Plan plan) {
    Map<String, String> settings = new LinkedHashMap<>();
    release(plan)
        .ifPresent(
            release -> {
              settings.put("against", digest(release.resolve(AGENT), release.resolve(HBASE)));
              settings.put("built", built());
            });
    return settings;
  }

  private static String built() {
    try {
      Installation installation = Installation.find();
      List<Path> all = new ArrayList<>(List.of(installation.agentJar()));
      all.addAll(installation.jars());
      all.removeIf(jar -> !jar.getFileName().toString().matches("(hdfs|hbase)-prio-[0-9].*"));
      return digest(all.toArray(new Path[0]));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static String digest(Path... jars) {
    MessageDigest digest = DigestUtils.getSha256Digest();
    for (Path jar : jars) {
      try {
        digest.update(Files.readAllBytes(jar));
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
    return Hex.encodeHexString(digest.digest());
  }

  /**
   * What each system has to its twin; empty if there is none.
   *
   * @param in what was measured under a condition, by its name
   */
  static Optional<ReportTable> table(
      Plan plan, List<Column> columns, Function<String, Measured> in) {
    List<Column> plain = new ArrayList<>(columns);
    plain.removeIf(column -> !column.isPlain());
    List<String> titles = new ArrayList<>(List.of(PlanFindings.CONDITION, PlanFindings.SYSTEM));
    plain.forEach(column -> titles.add(column.title()));
    ReportTable table = new ReportTable("Each system / the same of the other release", titles);
    boolean any = false;
    for (String condition : plan.conditions().keySet()) {
      for (String system : plan.systems().keySet()) {
        Results own = in.apply(condition).with(system);
        Results twin = in.apply(condition).with(system + ENDING);
        if (!own.all().isEmpty() && !twin.all().isEmpty()) {
          List<String> row = new ArrayList<>(List.of(condition, system));
          plain.forEach(column -> row.add(column.ratioText(own, twin)));
          table.row(row);
          any = true;
        }
      }
    }
    return any ? Optional.of(table) : Optional.empty();
  }
}
