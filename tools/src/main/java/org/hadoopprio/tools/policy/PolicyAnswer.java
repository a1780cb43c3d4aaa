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

  /** Adds what the server would do with a request. */
  static void ofRequest(
      AccessPolicy policy,
      IoPriority asked,
      IoPriority otherwise,
      PolicyRequest request,
      boolean onDataNode,
      Map<String, Object> answer) {
    Decision decision = policy.decide(asked, otherwise, request);
    answer.put(ASKED, asked.toString());
    answer.put(DECIDED_BY, decision.rule().orElse(decision.limit(HIGHEST)));
    if (policy.hasTenants()) {
      answer.put(TENANT, decision.tenant());
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
    if (!granted.isNone() && !served.caps().isEmpty()) {
      answer.put(COUNTED_BY, served.caps());
      answer.put(ABOVE_CAPS, served.waits() ? WAITS : served.aboveCap().toString());
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
        lines.add("tenant    " + answer.get(TENANT));
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
