// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.hdfs.datanode;

import com.google.re2j.Pattern;
import com.google.re2j.PatternSyntaxException;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.apache.hadoop.thirdparty.com.google.common.net.InetAddresses;
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

  private static final Pattern LITERAL = Pattern.compile("[\\w.:@/-]*");
  private static final Pattern IN_BRACKETS =
      Pattern.compile("\\\\?\\[[0-9a-fA-F:]*:[0-9a-fA-F:.]*\\\\?\\]");

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
        Pattern pattern = condition.getValue();
        if (value == null || !matches(pattern, condition.getKey(), value)) {
          return false;
        }
      }
      return true;
    }

    private static boolean matches(Pattern pattern, Subject subject, String value) {
      if (pattern.matcher(value).matches()) {
        return true;
      }
      return subject == Subject.ADDRESS
          && value.indexOf(':') >= 0
          && pattern.matcher(shortened(value)).matches();
    }

    /** An IPv6 address as people write it, {@code ::1} for {@code 0:0:0:0:0:0:0:1}. */
    private static String shortened(String address) {
      int zone = address.indexOf('%');
      String text = zone < 0 ? address : address.substring(0, zone);
      return InetAddresses.isInetAddress(text)
          ? InetAddresses.toAddrString(InetAddresses.forString(text))
          : text;
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
        rule.conditions.put(subject, expression(subject, condition.substring(equals + 1)));
      } catch (PatternSyntaxException e) {
        throw new IllegalArgumentException(
            "rule \"" + text + "\": " + e.getDescription() + " in " + e.getPattern(), e);
      } catch (IllegalArgumentException e) {
        throw new IllegalArgumentException("rule \"" + text + "\": " + e.getMessage(), e);
      }
    }
    return rule;
  }

  /** Refuses what can never match, which would be a limit without effect. */
  private static Pattern expression(Subject subject, String text) {
    boolean principal = text.indexOf('/') >= 0 || text.indexOf('@') >= 0;
    if (subject == Subject.USER && principal && isLiteral(text)) {
      throw new IllegalArgumentException(
          "user=" + text + " never matches; allowed: short names, which have neither / nor @");
    }
    if (subject == Subject.ADDRESS
        && ((text.indexOf('/') >= 0 && isLiteral(text)) || IN_BRACKETS.matcher(text).matches())) {
      throw new IllegalArgumentException(
          "address="
              + text
              + " never matches; allowed: IP addresses without brackets and without /, such as"
              + " 10\\.0\\..* or ::1");
    }
    // IPv6 addresses are compared as numbers are.
    return Pattern.compile(text, subject == Subject.ADDRESS ? Pattern.CASE_INSENSITIVE : 0);
  }

  /** Whether it can match nothing but itself, a point aside; another expression may also match. */
  private static boolean isLiteral(String text) {
    return LITERAL.matcher(text).matches();
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
