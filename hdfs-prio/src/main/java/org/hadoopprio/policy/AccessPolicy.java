package org.hadoopprio.policy;

import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import org.hadoopprio.IoClass;
import org.hadoopprio.IoPriority;

/**
 * The rules and caps of one policy file. Immutable except for the counts of its caps; thread-safe.
 */
public final class AccessPolicy {

  /** The policy without a file: the {@code ...highest} key applies to everybody. */
  public static final AccessPolicy NONE =
      new AccessPolicy(PolicyMode.LOG, List.of(), List.of(), new byte[0]);

  /**
   * The policy of a server that could not use its file at its start: nobody is granted more than
   * be:0.
   */
  public static final AccessPolicy NO_REALTIME =
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
   * @param otherwise the most urgent priority for requesters that no rule matches
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

  /**
   * The rule that grants real-time, for messages: the first by precedence; empty if none does.
   * Whether any requester matches it is not known.
   */
  public Optional<String> realtimeRule() {
    return rules.stream()
        .filter(rule -> rule.highest().ioClass() == IoClass.REALTIME)
        .findFirst()
        .map(PolicyRule::toString);
  }

  /** The number of rules. */
  public int size() {
    return rules.size();
  }

  /** The content of the file as it was read. */
  byte[] source() {
    return source;
  }
}
