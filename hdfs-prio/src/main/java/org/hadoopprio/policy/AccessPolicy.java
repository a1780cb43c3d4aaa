package org.hadoopprio.policy;

import java.util.List;
import java.util.stream.Collectors;
import org.hadoopprio.IoPriority;

/** The rules of one policy file. Immutable but for the counts of its caps; thread-safe. */
public final class AccessPolicy {

  /** Where no file is named: everybody has what the {@code ...highest} key says. */
  public static final AccessPolicy NONE =
      new AccessPolicy(PolicyMode.LOG, List.of(), List.of(), new byte[0]);

  /** Where the file named cannot be used from the start: nobody has real-time. */
  public static final AccessPolicy CLOSED =
      new AccessPolicy(
          PolicyMode.LOG,
          List.of(
              new PolicyRule(
                  NamePattern.ANY, null, NamePattern.ANY, IoPriority.bestEffort(0), List.of(), 0)),
          List.of(),
          new byte[0]);

  private final PolicyMode mode;
  private final List<PolicyRule> rules;
  private final List<ClassCap> caps;
  private final byte[] source;

  AccessPolicy(PolicyMode mode, List<PolicyRule> rules, List<ClassCap> caps, byte[] source) {
    this.mode = mode;
    this.rules = rules.stream().sorted(PolicyRule.DECIDING_FIRST).collect(Collectors.toList());
    this.caps = caps;
    this.source = source;
  }

  /**
   * Decides about one request.
   *
   * @param otherwise the most urgent priority of whom no rule is for
   */
  public Decision decide(IoPriority asked, IoPriority otherwise, Requester requester) {
    PolicyRule rule = rule(requester);
    return new Decision(asked, rule == null ? otherwise : rule.highest(), mode, rule, caps);
  }

  private PolicyRule rule(Requester requester) {
    for (PolicyRule rule : rules) {
      if (rule.matches(requester)) {
        return rule;
      }
    }
    return null;
  }

  /** How many rules there are. */
  public int size() {
    return rules.size();
  }

  /** The file's content when it was read. */
  byte[] source() {
    return source;
  }
}
