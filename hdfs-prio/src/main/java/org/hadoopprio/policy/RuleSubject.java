// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.policy;

import java.util.Collection;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.Set;
import java.util.stream.Collectors;

/** For which requests a rule is. Immutable. */
final class RuleSubject {

  /**
   * Orders by precedence: a named user before a group before everybody, longer prefixes before
   * shorter ones, those with a table, then with a family, then with more of the other conditions.
   */
  static final Comparator<RuleSubject> DECIDING_FIRST =
      Comparator.comparingInt(RuleSubject::rank)
          .thenComparing(s -> s.user == null ? 0 : s.user.specificity(), Comparator.reverseOrder())
          .thenComparing(s -> s.table.specificity(), Comparator.reverseOrder())
          .thenComparing(s -> s.family.specificity(), Comparator.reverseOrder())
          .thenComparing(RuleSubject::conditions, Comparator.reverseOrder());

  /** Null if the rule is for a group. */
  private final NamePattern user;

  /** Null if the rule is for users. */
  private final String group;

  private final NamePattern table;
  private final NamePattern family;

  /** Empty for all. */
  private final Set<RequestKind> kinds;

  private final RuleHours hours;

  /** Null for both kinds of servers. */
  private final PolicyServer server;

  /**
   * Makes a subject.
   *
   * @param user null if the rule is for a group
   * @param group null if the rule is for users
   */
  RuleSubject(
      NamePattern user,
      String group,
      NamePattern table,
      NamePattern family,
      Set<RequestKind> kinds,
      RuleHours hours,
      PolicyServer server) {
    this.user = user;
    this.group = group;
    this.table = table;
    this.family = family;
    this.kinds = kinds.isEmpty() ? EnumSet.noneOf(RequestKind.class) : EnumSet.copyOf(kinds);
    this.hours = hours;
    this.server = server;
  }

  private int rank() {
    if (user == null) {
      return 1;
    }
    return user.isAny() ? 2 : 0;
  }

  private int conditions() {
    return (kinds.isEmpty() ? 0 : 1) + (hours.isAll() ? 0 : 1) + (server == null ? 0 : 1);
  }

  /** Whether a server of that kind has to heed it. */
  boolean isFor(PolicyServer reading) {
    return server == null || server == reading;
  }

  boolean matches(Requester requester) {
    // What is cheap first: families have to be looked for, and groups may have to be waited for.
    return (kinds.isEmpty() || kinds.contains(requester.kind()))
        && table.matches(requester.table())
        && (hours.isAll() || hours.includes(requester.hour()))
        && (user == null || user.matches(requester.user()))
        && (family.isAny() || isWithinFamily(requester.families()))
        && (group == null || requester.groups().contains(group));
  }

  private boolean isWithinFamily(Collection<String> families) {
    return !families.isEmpty() && families.stream().allMatch(family::matches);
  }

  /** For messages; two subjects with the same text overlap. */
  @Override
  public String toString() {
    StringBuilder text = new StringBuilder();
    text.append(user == null ? "group \"" + group : "user \"" + user).append('"');
    if (!table.isAny()) {
      text.append(" and table \"").append(table).append('"');
    }
    if (!family.isAny()) {
      text.append(" and family \"").append(family).append('"');
    }
    if (!kinds.isEmpty()) {
      String names = kinds.stream().map(RequestKind::toString).collect(Collectors.joining(", "));
      text.append(" and ").append(names);
    }
    if (!hours.isAll()) {
      text.append(" in hours ").append(hours);
    }
    return server == null ? text.toString() : text.append(" on a ").append(server).toString();
  }
}
