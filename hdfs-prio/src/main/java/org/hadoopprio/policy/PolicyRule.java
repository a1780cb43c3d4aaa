// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.policy;

import java.util.Comparator;
import java.util.List;
import java.util.Set;
import org.hadoopprio.IoPriority;
import org.hadoopprio.disktime.Tenant;

/** One rule of a policy. Immutable except for the counts of its caps. */
final class PolicyRule {

  /** Names every tenant. */
  static final String ANY_TENANT = "*";

  /** Orders rules by precedence: as their subjects, then as in the file. */
  static final Comparator<PolicyRule> DECIDING_FIRST =
      Comparator.comparing(PolicyRule::subject, RuleSubject.DECIDING_FIRST)
          .thenComparingInt(r -> r.line);

  private final RuleSubject subject;
  private final IoPriority highest;

  /** Null for none. */
  private final IoPriority given;

  private final String tenant;
  private final Set<String> onBehalfOf;
  private final List<ClassCap> caps;
  private final int line;

  /**
   * Makes a rule.
   *
   * @param given the priority of requests that state none; null if the rule gives none
   * @param tenant whose the requests are that name no tenant
   * @param onBehalfOf the tenants that they may name
   */
  PolicyRule(
      RuleSubject subject,
      IoPriority highest,
      IoPriority given,
      String tenant,
      Set<String> onBehalfOf,
      List<ClassCap> caps,
      int line) {
    this.subject = subject;
    this.highest = highest;
    this.given = given;
    this.tenant = tenant;
    this.onBehalfOf = onBehalfOf;
    this.caps = caps;
    this.line = line;
  }

  boolean matches(Requester requester) {
    return subject.matches(requester);
  }

  IoPriority highest() {
    return highest;
  }

  /** The priority of requests that state none; null if it gives none. */
  IoPriority given() {
    return given;
  }

  /** The name of the tenant that its requesters belong to. */
  String tenant() {
    return tenant;
  }

  /** Whether its requesters may name that tenant; who may name any may say that it is nobody's. */
  boolean mayName(String other) {
    return onBehalfOf.contains(other)
        || onBehalfOf.contains(ANY_TENANT)
        || (!onBehalfOf.isEmpty() && other.equals(Tenant.DEFAULT.name()));
  }

  List<ClassCap> caps() {
    return caps;
  }

  /** The requests that the rule is for. */
  RuleSubject subject() {
    return subject;
  }

  /** The rule with all that it says, for people. */
  String describe() {
    StringBuilder text = new StringBuilder(toString());
    if (given != null) {
      text.append(", gives ").append(given).append(" to what states none");
    }
    if (!onBehalfOf.isEmpty()) {
      text.append(", on behalf of ").append(String.join(", ", onBehalfOf));
    }
    caps.forEach(cap -> text.append("; cap for ").append(cap));
    return text.toString();
  }

  /** The rule as messages name it. */
  @Override
  public String toString() {
    String of = tenant.equals(Tenant.DEFAULT.name()) ? "" : " of tenant " + tenant;
    return "rule for " + subject + of + " (line " + line + ") allows " + highest;
  }
}
