// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.lab.bench.rules;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The rules of the DataNode's scheduler of disk time, each of which is to earn its place. They are
 * texts of its source files, so whoever changes these keeps rules.yaml current.
 */
public final class RulesOfScheduler {

  /** What makes a DataNode's threads obey; its rules are named, no cell runs it. */
  private static final String WAITS = "org.hadoopprio.hdfs.datanode.scheduler";

  private final Path home;
  private final Map<String, String> sources;
  private final List<Rule> rules;

  private RulesOfScheduler(Path home, Map<String, String> sources, List<Rule> rules) {
    this.home = home;
    this.sources = sources;
    this.rules = rules;
  }

  /**
   * Reads them.
   *
   * @param home the project's directory
   * @throws IllegalArgumentException if a rule is not in the sources as rules.yaml says
   */
  public static RulesOfScheduler of(Path home) throws IOException {
    Map<String, String> sources = CompiledScheduler.sources(home);
    List<Rule> rules = Rule.parse(Files.readString(home.resolve("lab/bench/rules.yaml")));
    Map<String, String> all = new HashMap<>(sources);
    all.putAll(CompiledScheduler.sources(home.resolve("hdfs-prio/src/main"), WAITS));
    rules.forEach(rule -> rule.without(all));
    return new RulesOfScheduler(home, sources, rules);
  }

  List<Rule> rules() {
    return rules;
  }

  Map<String, String> sources() {
    return sources;
  }

  /**
   * Takes each away and writes docs/design/rules.md.
   *
   * @param names only of these, and without the page; empty for all
   * @param progress each line, as soon as it is known
   */
  public void run(List<String> names, int seeds, PrintWriter progress) throws IOException {
    Ablation ablation = new Ablation(sources, seeds);
    for (Rule rule : rules) {
      if (rule.figure() != null && !ablation.has(rule.figure())) {
        throw new IllegalArgumentException(
            "rule \"" + rule.name() + "\" of rules.yaml: no cell has " + rule.figure());
      }
    }
    RulesPage page =
        new RulesPage(
            "bin/hprio bench rules --seeds " + seeds, ablation.cells(), seeds, ablation.figures());
    for (Rule rule : rules) {
      if (!names.isEmpty() && !names.contains(rule.name())) {
        continue;
      }
      if (rule.figure() == null) {
        page.add(rule);
      } else {
        page.add(rule, ablation.without(rule));
      }
      progress.println(page.last());
      progress.flush();
    }
    if (names.isEmpty()) {
      Files.writeString(home.resolve("docs/design/rules.md"), page.toString());
    }
  }
}
