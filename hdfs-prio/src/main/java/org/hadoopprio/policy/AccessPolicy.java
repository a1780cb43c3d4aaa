// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.policy;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.hadoopprio.IoClass;
import org.hadoopprio.IoPriority;
import org.hadoopprio.disktime.Tenant;

/**
 * The rules and caps of one policy file. Immutable except for the counts of its caps; thread-safe.
 */
public final class AccessPolicy {

  /** The policy without a file: the {@code ...highest} key applies to everybody. */
  public static final AccessPolicy NONE =
      new AccessPolicy(
          PolicyMode.LOG, PolicyHash.NONE, List.of(), List.of(), Map.of(), new byte[0], true);

  /**
   * The policy of a server that could not use its file at its start: nobody is granted more than
   * normal, and so those whom the file limits get nothing before the others.
   */
  public static final AccessPolicy UNUSABLE =
      new AccessPolicy(
          PolicyMode.LOG, PolicyHash.NONE, List.of(), List.of(), Map.of(), new byte[0], false);

  private final boolean usable;
  private final PolicyMode mode;
  private final String version;
  private final List<PolicyRule> rules;
  private final List<ClassCap> caps;

  /** What each tenant may have of a disk, in the order of the file. */
  private final Map<String, Tenant.Terms> tenants;

  private final byte[] source;

  /** What the rules allow, each once. */
  private final Set<IoPriority> limits;

  /** Of which at least one cap counts requests. */
  private final Set<IoClass> capped;

  /** Whether a rule gives a priority to requests that state none. */
  private final boolean gives;

  AccessPolicy(
      PolicyMode mode,
      String version,
      List<PolicyRule> rules,
      List<ClassCap> caps,
      Map<String, Tenant.Terms> tenants,
      byte[] source) {
    this(mode, version, rules, caps, tenants, source, true);
  }

  private AccessPolicy(
      PolicyMode mode,
      String version,
      List<PolicyRule> rules,
      List<ClassCap> caps,
      Map<String, Tenant.Terms> tenants,
      byte[] source,
      boolean usable) {
    this.usable = usable;
    this.mode = mode;
    this.version = version;
    this.rules = rules.stream().sorted(PolicyRule.DECIDING_FIRST).collect(Collectors.toList());
    this.caps = caps;
    this.tenants = tenants;
    this.source = source;
    this.limits = rules.stream().map(PolicyRule::highest).collect(Collectors.toUnmodifiableSet());
    this.capped =
        Stream.concat(caps.stream(), rules.stream().flatMap(rule -> rule.caps().stream()))
            .map(ClassCap::ioClass)
            .collect(Collectors.toUnmodifiableSet());
    this.gives = rules.stream().anyMatch(rule -> rule.given() != null);
  }

  /**
   * Decides about one request. While the requester's groups are not known, and a rule for a group
   * might decide, he has what the rules after it allow, but no more than normal: a grant by group
   * is not for him yet, and a grant by another rule might be one that his group denies.
   *
   * @param otherwise the most urgent priority for requesters that no rule matches
   */
  public Decision decide(IoPriority asked, IoPriority otherwise, Requester requester) {
    PolicyRule rule = rule(requester);
    IoPriority highest = rule == null ? most(otherwise) : rule.highest();
    Decision decision = new Decision(asked, highest, this, rule);
    return requester.isWithoutGroups() ? decision.withoutGroups() : decision;
  }

  private IoPriority most(IoPriority otherwise) {
    return usable ? otherwise : otherwise.atMost(IoPriority.NONE);
  }

  /**
   * Whether there may be requesters whose requests are served at less than that although they state
   * nothing. Without any, no request that states nothing needs a decision.
   *
   * @param unstated the priority of a request that states nothing
   * @param otherwise as for {@link #decide}
   */
  public boolean mayLower(IoPriority unstated, IoPriority otherwise) {
    if (isLess(most(otherwise), unstated)) {
      return true;
    }
    for (IoPriority limit : limits) {
      if (isLess(limit, unstated)) {
        return true;
      }
    }
    return false;
  }

  /**
   * The priority of requests that state none; null if no rule gives one to that requester, or if
   * that needs groups that are not known.
   */
  public IoPriority given(Requester requester) {
    PolicyRule rule = gives ? rule(requester) : null;
    return rule == null || requester.isWithoutGroups() ? null : rule.given();
  }

  /** The name of the tenant that the requester belongs to if he names none. */
  public String tenant(Requester requester) {
    return decide(IoPriority.NONE, IoPriority.NONE, requester).tenant(null);
  }

  /**
   * For whom a tenant's work counts that others wait for: for {@code default} if the tenant has a
   * lower limit, or the same one and less weight; or else who is slow would make others slow
   * (priority inversion).
   */
  public String raised(String tenant) {
    Tenant.Terms its = terms(tenant);
    Tenant.Terms others = terms(Tenant.DEFAULT.name());
    boolean hasLess =
        its.limit() < others.limit()
            || (its.limit() == others.limit() && its.weight() < others.weight());
    return hasLess ? Tenant.DEFAULT.name() : tenant;
  }

  /** What a tenant may have of each disk. */
  public Tenant.Terms terms(String tenant) {
    return tenants.getOrDefault(tenant, Tenant.Terms.NONE);
  }

  /** Whether it has a tenant of that name. */
  boolean hasTenant(String name) {
    return tenants.containsKey(name) || name.equals(Tenant.DEFAULT.name());
  }

  /** Whether it has tenants, so that each request needs a decision. */
  public boolean hasTenants() {
    return !tenants.isEmpty();
  }

  private static boolean isLess(IoPriority limit, IoPriority unstated) {
    return !unstated.atMost(limit).equals(unstated);
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

  /** The version that the file states; {@link PolicyHash#NONE} if it states none. */
  public String version() {
    return version;
  }

  /** The {@link PolicyHash} of the file as it was read. */
  public String hash() {
    return source.length == 0 ? PolicyHash.NONE : PolicyHash.of(source);
  }

  /** The rules with their caps, for people; the first that matches a request decides. */
  public List<String> rules() {
    return rules.stream().map(PolicyRule::describe).collect(Collectors.toList());
  }

  /** The caps that count all requests, for people. */
  public List<String> capsOfAll() {
    return caps.stream().map(ClassCap::toString).collect(Collectors.toList());
  }

  /** What each tenant may have of a disk, for people. */
  public List<String> tenants() {
    return tenants.entrySet().stream()
        .map(tenant -> "tenant " + tenant.getKey() + ": " + tenant.getValue())
        .collect(Collectors.toList());
  }

  /** What each tenant may have of a disk. */
  Map<String, Tenant.Terms> terms() {
    return tenants;
  }

  /** Whether a cap, of a rule or of all users, counts requests of a class. */
  public boolean hasCap(IoClass ioClass) {
    return capped.contains(ioClass);
  }

  /** What happens to a request for a more urgent priority than allowed. */
  public PolicyMode mode() {
    return mode;
  }

  /** The caps that count all requests. */
  List<ClassCap> caps() {
    return caps;
  }

  /** Whether this is not {@link #UNUSABLE}. */
  boolean isUsable() {
    return usable;
  }

  /** The content of the file as it was read. */
  byte[] source() {
    return source;
  }
}
