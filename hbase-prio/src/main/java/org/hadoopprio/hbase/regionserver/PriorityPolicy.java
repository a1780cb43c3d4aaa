// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.hbase.regionserver;

import org.apache.hadoop.conf.Configuration;
import org.hadoopprio.IoClass;
import org.hadoopprio.IoPriority;
import org.hadoopprio.hbase.config.HBaseKeys;
import org.hadoopprio.policy.Decision;
import org.hadoopprio.policy.PolicyFile;
import org.hadoopprio.policy.Requester;

/**
 * What the operator allows and presets in this RegionServer. Thread-safe; after creation only the
 * policy file can change.
 */
final class PriorityPolicy {

  private final IoPriority highest;
  private final IoPriority defaultPriority;
  private final PolicyFile access;

  private PriorityPolicy(IoPriority highest, IoPriority defaultPriority, PolicyFile access) {
    this.access = access;
    this.highest = highest;
    this.defaultPriority = defaultPriority;
  }

  /**
   * Reads the policy.
   *
   * @throws IllegalArgumentException naming the invalid key and what is allowed. So a mistake of
   *     the operator stops the RegionServer at start and does not change what it grants
   */
  static PriorityPolicy from(Configuration conf) {
    ServerMode.load(conf);
    ServerRoles.load(conf);
    ServerAudit.load(conf);
    return from(conf, ServerPolicy.of(conf));
  }

  /** Like {@link #from(Configuration)}, with the given policy file. */
  static PriorityPolicy from(Configuration conf, PolicyFile access) {
    IoPriority highest = HBaseKeys.HIGHEST.get(conf);
    IoPriority defaultPriority = HBaseKeys.DEFAULT.get(conf);
    if (defaultPriority != null
        && !defaultPriority.isNone()
        && !defaultPriority.atMost(highest).equals(defaultPriority)) {
      throw new IllegalArgumentException(
          HBaseKeys.DEFAULT.name()
              + " = "
              + defaultPriority
              + " asks for more than "
              + HBaseKeys.HIGHEST.name()
              + " = "
              + highest);
    }
    return new PriorityPolicy(highest, defaultPriority, access);
  }

  /** Decides which priority an operation gets that asks for one. */
  Decision decide(IoPriority asked, Requester requester) {
    return access.policy().decide(asked, highest, requester);
  }

  /**
   * Whether the policy may serve an operation that states nothing at less than that because of who
   * sends it.
   *
   * @param unstated what it is served at otherwise
   */
  boolean mayLower(IoPriority unstated) {
    return access.policy().mayLower(unstated, highest);
  }

  /** The priority of an operation for which no other source states one; null for none. */
  IoPriority given(Requester requester) {
    return access.policy().given(requester);
  }

  /** Whether the policy has tenants. */
  boolean hasTenants() {
    return access.policy().hasTenants();
  }

  /** The name of the tenant for which an operation counts. */
  String tenant(Requester requester) {
    return access.policy().tenant(requester);
  }

  /** For whom that counts what is done under a lock, or for HBase itself. */
  String raised(String tenant) {
    return access.policy().raised(tenant);
  }

  /** Whether the policy has a cap for idle. */
  boolean capsIdle() {
    return access.policy().hasCap(IoClass.IDLE);
  }

  /** The priority of an operation on a user table if no other source states one, or null. */
  IoPriority defaultPriority() {
    return defaultPriority;
  }
}
