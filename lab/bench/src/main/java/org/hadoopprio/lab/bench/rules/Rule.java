// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.lab.bench.rules;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.constructor.SafeConstructor;

/**
 * A rule or constant of the scheduler, as rules.yaml has it.
 *
 * @param part which it is a part of
 * @param purpose a sentence
 * @param figure what it is there for, a cell and one of its figures; null if no cell shows it
 * @param changes what takes it away; of a rule without a figure, where it stands
 */
record Rule(String part, String name, String purpose, Figure figure, List<Change> changes) {

  /** A figure of a cell. */
  record Figure(String cell, String name) {}

  /** A text that a source file has once, and what stands there without the rule. */
  record Change(String file, String text, String instead) {}

  /** Reads rules.yaml. */
  static List<Rule> parse(String yaml) {
    List<Rule> rules = new ArrayList<>();
    Map<String, Object> parts = map(new Yaml(new SafeConstructor(new LoaderOptions())).load(yaml));
    parts.forEach(
        (part, all) -> map(all).forEach((name, rule) -> rules.add(of(part, name, map(rule)))));
    return rules;
  }

  private static Rule of(String part, String name, Map<String, Object> rule) {
    List<Change> changes = new ArrayList<>();
    map(rule.get("without"))
        .forEach(
            (file, texts) ->
                map(texts)
                    .forEach(
                        (text, to) -> changes.add(new Change(file, text, String.valueOf(to)))));
    map(rule.get("in")).forEach((file, text) -> changes.add(new Change(file, (String) text, "")));
    String[] figure = String.valueOf(rule.get("figure")).split(" \\| ", -1);
    if (changes.isEmpty() || (figure.length != 2 && rule.get("figure") != null)) {
      throw new IllegalArgumentException(
          "rule \"" + name + "\": allowed: for, in; or for, figure (CELL | FIGURE), without");
    }
    return new Rule(
        part,
        name,
        String.valueOf(rule.get("for")),
        figure.length == 2 ? new Figure(figure[0], figure[1]) : null,
        changes);
  }

  private static Map<String, Object> map(Object value) {
    Map<String, Object> found = new LinkedHashMap<>();
    if (value instanceof Map<?, ?> entries) {
      entries.forEach((key, each) -> found.put(String.valueOf(key), each));
    }
    return found;
  }

  /**
   * Takes the rule away.
   *
   * @param sources the scheduler's classes by name
   * @return all of them
   * @throws IllegalArgumentException if a text does not stand there once
   */
  Map<String, String> without(Map<String, String> sources) {
    Map<String, String> changed = new LinkedHashMap<>(sources);
    for (Change change : changes) {
      String source = changed.getOrDefault(change.file, "");
      int at = source.indexOf(change.text);
      if (at < 0 || source.indexOf(change.text, at + 1) >= 0) {
        throw new IllegalArgumentException(
            String.format(
                "rule \"%s\" of rules.yaml: %s.java must have this once, and has it %s: %s",
                name, change.file, at < 0 ? "not" : "more than once", change.text));
      }
      changed.put(
          change.file,
          source.substring(0, at) + change.instead + source.substring(at + change.text.length()));
    }
    return changed;
  }
}
