// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.hdfs.datanode;

import com.google.re2j.Pattern;
import com.google.re2j.PatternSyntaxException;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.hadoopprio.IoPriority;

/**
 * Ordered rules that give a priority to requests that carry none; the first rule that matches
 * applies. Immutable.
 *
 * <p>The text form is that of {@code dfs.datanode.io.priority.rules}: rules separated by
 * semicolons, each {@code condition [condition ...] => priority}. The expressions are RE2's, which
 * take time in proportion to the name, whatever name a client chooses.
 */
public final class DataNodeRules {

  private static final String SYNTAX =
      "allowed: one or more of client=REGEX, user=REGEX, address=REGEX, then => and a priority";

  private enum Subject {
    CLIENT,
    USER,
    ADDRESS
  }

  private static final class Rule {
    final Map<Subject, Pattern> conditions = new EnumMap<>(Subject.class);
    IoPriority priority;

    boolean matches(DataNodeRequest request) {
      for (Map.Entry<Subject, Pattern> condition : conditions.entrySet()) {
        String value = valueOf(condition.getKey(), request);
        if (value == null || !condition.getValue().matcher(value).matches()) {
          return false;
        }
      }
      return true;
    }

    private static String valueOf(Subject subject, DataNodeRequest request) {
      switch (subject) {
        case CLIENT:
          return request.clientName();
        case USER:
          return request.user();
        default:
          return request.address();
      }
    }
  }

  private final List<Rule> rules;

  private DataNodeRules(List<Rule> rules) {
    this.rules = rules;
  }

  /** No rules. */
  public static DataNodeRules none() {
    return new DataNodeRules(List.of());
  }

  /**
   * Reads the text form.
   *
   * @throws IllegalArgumentException naming the rule and the mistake
   */
  public static DataNodeRules parse(String text) {
    List<Rule> rules = new ArrayList<>();
    for (String part : text.split(";", -1)) {
      if (!part.isBlank()) {
        rules.add(parseRule(part.strip()));
      }
    }
    return new DataNodeRules(List.copyOf(rules));
  }

  private static Rule parseRule(String text) {
    int arrow = text.lastIndexOf("=>");
    if (arrow < 0) {
      throw new IllegalArgumentException("rule \"" + text + "\" has no =>; " + SYNTAX);
    }
    Rule rule = new Rule();
    try {
      rule.priority = IoPriority.parse(text.substring(arrow + 2).strip());
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException("rule \"" + text + "\": " + e.getMessage(), e);
    }
    for (String condition : text.substring(0, arrow).strip().split("\\s+", -1)) {
      int equals = condition.indexOf('=');
      Subject subject = equals < 0 ? null : subject(condition.substring(0, equals));
      if (subject == null || rule.conditions.containsKey(subject)) {
        throw new IllegalArgumentException(
            "rule \"" + text + "\": condition \"" + condition + "\" is not allowed; " + SYNTAX);
      }
      try {
        rule.conditions.put(subject, Pattern.compile(condition.substring(equals + 1)));
      } catch (PatternSyntaxException e) {
        throw new IllegalArgumentException(
            "rule \"" + text + "\": " + e.getDescription() + " in " + e.getPattern(), e);
      }
    }
    return rule;
  }

  private static Subject subject(String name) {
    for (Subject s : Subject.values()) {
      if (s.name().toLowerCase(Locale.ROOT).equals(name)) {
        return s;
      }
    }
    return null;
  }

  /** The priority of the first rule that matches, or null. */
  public IoPriority match(DataNodeRequest request) {
    for (Rule rule : rules) {
      if (rule.matches(request)) {
        return rule.priority;
      }
    }
    return null;
  }
}
