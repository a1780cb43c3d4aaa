// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.policy;

import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.hadoopprio.IoClass;
import org.hadoopprio.IoPriority;
import org.hadoopprio.disktime.Tenant;

/** The policy's decision about one request, before caps are applied. Immutable. */
public final class Decision {

  private final IoPriority asked;
  private final IoPriority highest;
  private final AccessPolicy policy;
  private final PolicyRule rule;

  /** Whether the latency target of the request is heeded. */
  private final boolean targeted;

  /** Whether a rule for a group might have decided if the requester's groups were known. */
  private final boolean withoutGroups;

  /**
   * Makes a decision.
   *
   * @param rule null if none matches
   */
  Decision(IoPriority asked, IoPriority highest, AccessPolicy policy, PolicyRule rule) {
    this(asked, highest, policy, rule, true, false);
  }

  private Decision(
      IoPriority asked,
      IoPriority highest,
      AccessPolicy policy,
      PolicyRule rule,
      boolean targeted,
      boolean withoutGroups) {
    this.asked = asked;
    this.highest = highest;
    this.policy = policy;
    this.rule = rule;
    this.targeted = targeted;
    this.withoutGroups = withoutGroups;
  }

  /** The same for a request that is served as if it had stated no priority. */
  public Decision unstated() {
    return new Decision(IoPriority.NONE, highest, policy, rule, targeted, withoutGroups);
  }

  /**
   * The same for a request whose latency target nobody heeds. Who may have real-time only with a
   * target then has none.
   */
  public Decision untargeted() {
    return new Decision(asked.withoutTarget(), highest, policy, rule, false, withoutGroups);
  }

  /**
   * The same for a requester whose groups are not known, and might decide. He has no more than
   * normal, no latency target, and no place in a cap, which may be that of others.
   */
  Decision withoutGroups() {
    IoPriority most = highest.atMost(IoPriority.NONE);
    return new Decision(asked.withoutTarget(), most, policy, rule, false, true);
  }

  /** Whether the requester's groups were not known, and might have decided. */
  public boolean isWithoutGroups() {
    return withoutGroups;
  }

  /** The requested priority, lowered to the highest allowed. */
  public IoPriority allowed() {
    IoPriority allowed = asked.atMost(highest);
    if (targeted || !allowed.hasTarget()) {
      return allowed;
    }
    boolean realtime = allowed.ioClass() == IoClass.REALTIME;
    return realtime ? IoPriority.bestEffort(0) : allowed.withoutTarget();
  }

  /** Whether the request is served at less than it has requested, or than normal if nothing. */
  public boolean isLowered() {
    return !allowed().equals(asked);
  }

  /**
   * Whether the requested priority is more urgent than allowed. One who requests none has not
   * requested too much, and of one whose groups are not known that is not known either.
   */
  public boolean isTooMuch() {
    return !asked.isNone() && isLowered() && !withoutGroups;
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

  /** The rule that decides, as messages name it; empty if none matches. */
  public Optional<String> rule() {
    if (withoutGroups) {
      return Optional.of("the user's groups are not known yet");
    }
    return Optional.ofNullable(rule).map(PolicyRule::toString);
  }

  /** Whether a call waits for a place in a cap before it is served. */
  public boolean waits() {
    return allowed().ioClass() == IoClass.IDLE;
  }

  /**
   * The name of the tenant that the request counts for. While the requester's groups are not known
   * it counts for nobody's, as the tenant of the rule may be that of others.
   *
   * @param named the one that it names itself; null for none
   */
  public String tenant(String named) {
    if (rule == null || withoutGroups) {
      return Tenant.DEFAULT.name();
    }
    boolean isNamed = named != null && rule.mayName(named) && policy.hasTenant(named);
    return isNamed ? named : rule.tenant();
  }

  /** The caps that count such a request, for people. */
  public List<String> caps() {
    return capsOfClass().stream()
        .map(cap -> (policy.caps().contains(cap) ? "all users together: " : "the rule: ") + cap)
        .collect(Collectors.toList());
  }

  /** What a request above a cap for the class of {@link #allowed} is served at; idle waits. */
  public IoPriority aboveCap() {
    return ClassCap.above(allowed().ioClass());
  }

  /** The caps that count requests of the class of {@link #allowed}. */
  List<ClassCap> capsOfClass() {
    if (withoutGroups) {
      return List.of();
    }
    IoClass ioClass = allowed().ioClass();
    return Stream.concat(
            rule == null ? Stream.empty() : rule.caps().stream(), policy.caps().stream())
        .filter(cap -> cap.ioClass() == ioClass)
        .collect(Collectors.toList());
  }

  /** Acquires places in the caps for {@link #allowed}. */
  public Admission admit() {
    if (withoutGroups) {
      return Admission.of(allowed(), List.of(), List.of());
    }
    return Admission.of(allowed(), rule == null ? List.of() : rule.caps(), policy.caps());
  }
}
