// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.policy;

import java.util.Comparator;
import java.util.List;
import org.hadoopprio.IoPriority;
import org.hadoopprio.disktime.Tenant;

/** One rule of a policy. Immutable except for the counts of its caps. */
final class PolicyRule {

  /**
   * Orders rules by precedence: a named user before a group before everybody, longer prefixes
   * before shorter ones, then rules with a table, then the order of the file.
   */
  static final Comparator<PolicyRule> DECIDING_FIRST =
      Comparator.comparingInt(PolicyRule::subjectRank)
          .thenComparing(r -> r.user == null ? 0 : r.user.specificity(), Comparator.reverseOrder())
          .thenComparing(r -> r.table.specificity(), Comparator.reverseOrder())
          .thenComparingInt(r -> r.line);

  private final NamePattern user;
  private final String group;
  private final NamePattern table;
  private final IoPriority highest;
  private final String tenant;
  private final List<ClassCap> caps;
  private final int line;

  /**
   * Makes a rule.
   *
   * @param user null if the rule is for a group
   * @param group null if the rule is for users
   */
  PolicyRule(
      NamePattern user,
      String group,
      NamePattern table,
      IoPriority highest,
      String tenant,
      List<ClassCap> caps,
      int line) {
    this.user = user;
    this.group = group;
    this.table = table;
    this.highest = highest;
    this.tenant = tenant;
    this.caps = caps;
    this.line = line;
  }

  private int subjectRank() {
    if (user == null) {
      return 1;
    }
    return user.isAny() ? 2 : 0;
  }

  boolean matches(Requester requester) {
    if (!table.matches(requester.table())) {
      return false;
    }
    return user == null ? requester.groups().contains(group) : user.matches(requester.user());
  }

  IoPriority highest() {
    return highest;
  }

  /** The name of the tenant that its requesters belong to. */
  String tenant() {
    return tenant;
  }

  List<ClassCap> caps() {
    return caps;
  }

  /** The requesters that the rule matches, for messages; two rules with the same text overlap. */
  String subject() {
    String who = user == null ? "group \"" + group + "\"" : "user \"" + user + "\"";
    return table.isAny() ? who : who + " and table \"" + table + "\"";
  }

  /** The rule with its caps, for people. */
  String describe() {
    StringBuilder text = new StringBuilder(toString());
    caps.forEach(cap -> text.append("; cap for ").append(cap));
    return text.toString();
  }

  /** The rule as messages name it. */
  @Override
  public String toString() {
    String of = tenant.equals(Tenant.DEFAULT.name()) ? "" : " of tenant " + tenant;
    return "rule for " + subject() + of + " (line " + line + ") allows " + highest;
  }
}
