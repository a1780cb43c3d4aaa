package org.hadoopprio.policy;

import java.util.List;
import org.hadoopprio.IoPriority;

/** The policy's decision about one request, before caps are applied. Immutable. */
public final class Decision {

  private final IoPriority asked;
  private final IoPriority highest;
  private final PolicyMode mode;
  private final PolicyRule rule;
  private final List<ClassCap> caps;

  Decision(
      IoPriority asked, IoPriority highest, PolicyMode mode, PolicyRule rule, List<ClassCap> caps) {
    this.asked = asked;
    this.highest = highest;
    this.mode = mode;
    this.rule = rule;
    this.caps = caps;
  }

  /** The requested priority, lowered to the highest allowed. */
  public IoPriority allowed() {
    return asked.isNone() ? asked : asked.atMost(highest);
  }

  /** Whether the requested priority is more urgent than allowed. */
  public boolean isTooMuch() {
    return !allowed().equals(asked);
  }

  /** What happens to a request for a more urgent priority than allowed. */
  public PolicyMode mode() {
    return mode;
  }

  /**
   * Describes the origin of the limit, for messages.
   *
   * @param key the key whose value applies if no rule matches
   */
  public String limit(String key) {
    return rule == null ? key + " is " + highest : "the policy's " + rule;
  }

  /** Acquires places in the caps for {@link #allowed}. */
  public Admission admit() {
    return Admission.of(allowed(), rule == null ? List.of() : rule.caps(), caps);
  }
}
