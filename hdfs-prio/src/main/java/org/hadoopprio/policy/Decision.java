package org.hadoopprio.policy;

import java.util.List;
import org.hadoopprio.IoPriority;

/** The policy's decision about one request, before caps are applied. Immutable. */
public final class Decision {

  private final IoPriority asked;
  private final IoPriority highest;
  private final AccessPolicy policy;
  private final PolicyRule rule;

  /**
   * Makes a decision.
   *
   * @param rule null if none matches
   */
  Decision(IoPriority asked, IoPriority highest, AccessPolicy policy, PolicyRule rule) {
    this.asked = asked;
    this.highest = highest;
    this.policy = policy;
    this.rule = rule;
  }

  /** The same for a request that is served as if it had stated no priority. */
  public Decision unstated() {
    return new Decision(IoPriority.NONE, highest, policy, rule);
  }

  /** The requested priority, lowered to the highest allowed. */
  public IoPriority allowed() {
    return asked.atMost(highest);
  }

  /** Whether the request is served at less than it has requested, or than normal if nothing. */
  public boolean isLowered() {
    return !allowed().equals(asked);
  }

  /**
   * Whether the requested priority is more urgent than allowed. One who requests none has not
   * requested too much.
   */
  public boolean isTooMuch() {
    return !asked.isNone() && isLowered();
  }

  /** What happens to a request for a more urgent priority than allowed. */
  public PolicyMode mode() {
    return policy.mode();
  }

  /**
   * Describes the origin of the limit, for messages.
   *
   * @param key the key whose value applies if no rule matches
   */
  public String limit(String key) {
    if (!policy.isUsable()) {
      return "the policy file cannot be used";
    }
    return rule == null ? key + " is " + highest : "the policy's " + rule;
  }

  /** Acquires places in the caps for {@link #allowed}. */
  public Admission admit() {
    return Admission.of(allowed(), rule == null ? List.of() : rule.caps(), policy.caps());
  }
}
