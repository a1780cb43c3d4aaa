package org.hadoopprio.policy;

import java.util.List;
import org.hadoopprio.IoPriority;

/** What the policy says to one request, before any cap is looked at. Immutable. */
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

  /** What was asked for, lowered to what is allowed. */
  public IoPriority allowed() {
    return asked.isNone() ? asked : asked.atMost(highest);
  }

  /** Whether more was asked for than is allowed. */
  public boolean isTooMuch() {
    return !allowed().equals(asked);
  }

  /** What becomes of a request for too much. */
  public PolicyMode mode() {
    return mode;
  }

  /**
   * What sets the limit, for messages.
   *
   * @param key the key whose value counts where no rule does
   */
  public String limit(String key) {
    return rule == null
        ? key + " is " + highest
        : "the policy's rule for "
            + rule.subject()
            + " (line "
            + rule.line()
            + ") allows "
            + highest;
  }

  /** Takes a place in the caps for {@link #allowed}. */
  public Admission admit() {
    return Admission.of(allowed(), rule == null ? List.of() : rule.caps(), caps);
  }
}
