// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.policy;

import java.util.Arrays;
import org.hadoopprio.config.ConfigKey;
import org.hadoopprio.disktime.Tenant;
import org.hadoopprio.metrics.PolicyStatus;
import org.hadoopprio.metrics.PriorityMetrics;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The policy in force in one server, read from the file that a key names. A file that cannot be
 * used is refused as a whole and the policy in force stays. Thread-safe.
 */
public final class PolicyFile {

  private static final Logger LOG = LoggerFactory.getLogger(PolicyFile.class);

  private final ConfigKey<AccessPolicy> key;
  private final Tenants tenants = new Tenants();
  private volatile AccessPolicy policy;

  /** Makes the policy of a server, with no rules until {@link #load}. */
  public PolicyFile(ConfigKey<AccessPolicy> key) {
    this.key = key;
    set(AccessPolicy.NONE, null);
  }

  private void set(AccessPolicy newPolicy, String file) {
    tenants.apply(newPolicy.terms());
    policy = newPolicy;
    PriorityMetrics.setPolicy(
        new PolicyStatus(
            key.name(),
            file == null ? "" : file,
            newPolicy.version(),
            newPolicy.hash(),
            newPolicy.isUsable(),
            newPolicy.mode().toString(),
            newPolicy.capsOfAll(),
            newPolicy.rules()));
  }

  /** The policy in force; never null. */
  public AccessPolicy policy() {
    return policy;
  }

  /**
   * The tenant that the request of a decision counts for.
   *
   * @param named the name that it states; null for none
   */
  public Tenant tenant(Decision decision, String named) {
    return tenants.of(decision.tenant(named));
  }

  /**
   * Replaces the policy in force.
   *
   * @param file null or empty for none
   * @throws IllegalArgumentException naming the key, the file, the line and the reason; the old
   *     policy stays
   */
  public void load(String file) {
    AccessPolicy read = key.parse(file);
    set(read == null ? AccessPolicy.NONE : read, file);
    LOG.info(
        "{} = \"{}\": {} rules are in force, version {}, hash {}",
        key.name(),
        file == null ? "" : file,
        policy.size(),
        policy.version(),
        policy.hash());
  }

  /**
   * The same at a server's start, which a mistake in the file must not prevent: then every
   * requester is limited to normal until {@link #load} succeeds.
   */
  public void loadAtStart(String file) {
    try {
      load(file);
    } catch (IllegalArgumentException e) {
      set(AccessPolicy.UNUSABLE, file);
      LOG.error(
          "{}; nobody is granted more than normal until the policy file can be used",
          e.getMessage());
    }
  }

  /** Whether the content of the file differs from the policy in force or cannot be read. */
  public boolean isChanged(String file) {
    try {
      return !Arrays.equals(PolicyReader.content(file.strip()), policy.source());
    } catch (IllegalArgumentException e) {
      return true;
    }
  }
}
