// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.tools.policy;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.hadoopprio.IoPriority;
import org.hadoopprio.policy.AccessPolicy;
import org.hadoopprio.policy.Decision;
import org.hadoopprio.policy.PolicyMode;

/** What a policy says, as {@code hprio policy check} prints it. */
final class PolicyAnswer {

  private static final String MODE = "mode";
  private static final String VERSION = "version";
  private static final String HASH = "hash";
  private static final String RULES = "rules";
  private static final String CAPS = "caps";
  private static final String TENANTS = "tenants";
  private static final String TENANT = "tenant";
  private static final String TERMS = "tenantMay";
  private static final String REFUSED = "tenantRefused";
  private static final String ASKED = "asked";
  private static final String DECIDED_BY = "decidedBy";
  private static final String OUTCOME = "outcome";
  private static final String GRANTED = "granted";
  private static final String COUNTED = "counted";
  private static final String COUNTED_BY = "countedByCaps";
  private static final String ABOVE_CAPS = "aboveCaps";
  private static final String WAITS = "waits for a handler";

  /** The key of a server for users that no rule matches, without its beginning. */
  private static final String HIGHEST = "...io.priority.highest";

  private PolicyAnswer() {}

  /** Adds what the file has. */
  static void ofFile(AccessPolicy policy, Map<String, Object> answer) {
    answer.put(MODE, policy.mode().toString());
    answer.put(VERSION, policy.version());
    answer.put(HASH, policy.hash());
    answer.put(RULES, policy.rules());
    answer.put(CAPS, policy.capsOfAll());
    answer.put(TENANTS, policy.tenants());
  }

  /**
   * Adds for which tenant a request counts.
   *
   * @param named the one that it names itself; null for none
   */
  static void ofTenant(
      AccessPolicy policy,
      IoPriority otherwise,
      PolicyRequest request,
      String named,
      Map<String, Object> answer) {
    String tenant = policy.decide(IoPriority.NONE, otherwise, request).tenant(named);
    answer.put(TENANT, tenant);
    answer.put(TERMS, policy.terms(tenant).toString());
    if (named != null && !named.equals(tenant)) {
      answer.put(REFUSED, named);
    }
  }

  /**
   * Adds what the server would do with a request.
   *
   * @param stated null for nothing
   */
  static void ofRequest(
      AccessPolicy policy,
      IoPriority stated,
      IoPriority otherwise,
      PolicyRequest request,
      boolean onDataNode,
      Map<String, Object> answer) {
    IoPriority given = stated == null && !request.isSystemTable() ? policy.given(request) : null;
    IoPriority asked = stated != null ? stated : given != null ? given : IoPriority.NONE;
    Decision decision = policy.decide(asked, otherwise, request);
    answer.put(ASKED, (stated == null ? IoPriority.NONE : stated).toString());
    answer.put(DECIDED_BY, decision.rule().orElse(decision.limit(HIGHEST)));
    if (given != null) {
      answer.put(OUTCOME, "given by the rule");
      answer.put(GRANTED, given.toString());
      answer.put(COUNTED, "Ruled");
      addCaps(decision, onDataNode, answer);
      return;
    }
    boolean rejected =
        decision.isTooMuch() && decision.mode() == PolicyMode.REJECT && !request.isSystemTable();
    if (rejected && !onDataNode) {
      answer.put(OUTCOME, "rejected");
      answer.put(COUNTED, "Rejected");
      return;
    }
    boolean staysNormal = asked.isNone() && request.isSystemTable();
    Decision served = rejected ? decision.unstated() : decision;
    IoPriority granted = staysNormal ? asked : served.allowed();
    answer.put(OUTCOME, granted.equals(asked) ? "as asked" : rejected ? "not heeded" : "lowered");
    answer.put(GRANTED, granted.toString());
    if (!granted.equals(asked)) {
      answer.put(COUNTED, rejected ? "Rejected" : asked.isNone() ? "Ruled" : "Clamped");
    }
    if (!granted.isNone()) {
      addCaps(served, onDataNode, answer);
    }
  }

  private static void addCaps(Decision served, boolean onDataNode, Map<String, Object> answer) {
    if (!served.caps().isEmpty()) {
      answer.put(COUNTED_BY, served.caps());
      String idle = onDataNode ? IoPriority.IDLE.toString() : WAITS;
      answer.put(ABOVE_CAPS, served.waits() ? idle : served.aboveCap().toString());
    }
  }

  /** The answer for people, the last line without an end. */
  static String toText(Map<String, Object> answer) {
    List<String> lines = new ArrayList<>();
    lines.add(
        answer.get("file")
            + ": can be used by a "
            + answer.get("server")
            + ", mode "
            + answer.get(MODE)
            + ", version "
            + answer.get(VERSION)
            + ", hash "
            + answer.get(HASH));
    ((List<?>) answer.get(TENANTS)).forEach(tenant -> lines.add("" + tenant));
    ((List<?>) answer.get(CAPS)).forEach(cap -> lines.add("cap for all users together: " + cap));
    ((List<?>) answer.get(RULES)).forEach(rule -> lines.add("" + rule));
    if (answer.containsKey(OUTCOME)) {
      lines.add("");
      lines.add("asked     " + answer.get(ASKED));
      lines.add("decides   " + answer.get(DECIDED_BY));
      if (answer.containsKey(TENANT)) {
        lines.add("tenant    " + answer.get(TENANT) + ": " + answer.get(TERMS));
      }
      if (answer.containsKey(REFUSED)) {
        lines.add("named     " + answer.get(REFUSED) + ": not allowed, counted in TenantsRefused");
      }
      lines.add("outcome   " + outcome(answer));
      if (answer.containsKey(COUNTED_BY)) {
        ((List<?>) answer.get(COUNTED_BY)).forEach(cap -> lines.add("cap       " + cap));
        Object above = answer.get(ABOVE_CAPS);
        boolean waits = WAITS.equals(above);
        lines.add("above it  " + above + (waits ? "" : " at most, counted in Capped"));
      }
    }
    return String.join(System.lineSeparator(), lines);
  }

  private static String outcome(Map<String, Object> answer) {
    Object granted = answer.get(GRANTED);
    String text = granted == null ? "rejected with an error" : answer.get(OUTCOME) + ": " + granted;
    return text + (answer.containsKey(COUNTED) ? ", counted in " + answer.get(COUNTED) : "");
  }
}
