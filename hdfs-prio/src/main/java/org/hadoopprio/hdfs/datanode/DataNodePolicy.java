// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.hdfs.datanode;

import com.blogspot.mydailyjava.weaklockfree.WeakConcurrentMap;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.DFSConfigKeys;
import org.hadoopprio.IoPriority;
import org.hadoopprio.IoRole;
import org.hadoopprio.config.ConfigKey;
import org.hadoopprio.config.RemovedKeys;
import org.hadoopprio.disktime.Tenant;
import org.hadoopprio.hdfs.datanode.scheduler.Volume;
import org.hadoopprio.hdfs.datanode.scheduler.Volumes;
import org.hadoopprio.log.Printable;
import org.hadoopprio.log.RateLimitedLog;
import org.hadoopprio.metrics.PriorityMetrics;
import org.hadoopprio.policy.AccessPolicy;
import org.hadoopprio.policy.Admission;
import org.hadoopprio.policy.AuditLog;
import org.hadoopprio.policy.Decision;
import org.hadoopprio.policy.PolicyFile;
import org.hadoopprio.policy.PolicyMode;
import org.hadoopprio.role.RolePriorities;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Decides which priority one DataNode grants to a request: its rules for requests without a
 * priority, its policy file, and the highest priority for users that no rule of the policy matches.
 * Reconfigurable while the DataNode runs. Thread-safe; all DataXceiver threads share it.
 */
public final class DataNodePolicy {

  private static final Logger LOG = LoggerFactory.getLogger(DataNodePolicy.class);
  private static final RateLimitedLog CLAMP_LOG = new RateLimitedLog(LOG);
  private static final RateLimitedLog TENANT_LOG = new RateLimitedLog(LOG);

  /** One policy for each configuration object, and so for each DataNode. */
  private static final WeakConcurrentMap<Configuration, DataNodePolicy> POLICIES =
      new WeakConcurrentMap.WithInlinedExpunction<>() {
        @Override
        protected DataNodePolicy defaultValue(Configuration conf) {
          return new DataNodePolicy(conf);
        }
      };

  private final PolicyFile file = new PolicyFile(DataNodeKeys.POLICY_FILE);
  private final Volume withoutVolume;
  private final AuditLog audit = new AuditLog();
  private final int stripedReadMillis;
  private volatile IoPriority highest;
  private volatile DataNodeRules rules;
  private volatile long writeBehind;
  private volatile RolePriorities roles;

  private DataNodePolicy(Configuration conf) {
    withoutVolume = Volumes.of(conf, null);
    highest = DataNodeKeys.HIGHEST.getOrDefault(conf, LOG);
    setRules(DataNodeKeys.RULES.getOrDefault(conf, LOG));
    writeBehind = DataNodeKeys.WRITE_BEHIND.getOrDefault(conf, LOG);
    roles = DataNodeKeys.ROLES.getOrDefault(conf, LOG);
    audit.setFrom(DataNodeKeys.AUDIT.getOrDefault(conf, LOG));
    RemovedKeys.warnOfProfile(conf, RemovedKeys.DATANODE_PROFILE, LOG);
    stripedReadMillis =
        conf.getInt(
            DFSConfigKeys.DFS_DN_EC_RECONSTRUCTION_STRIPED_READ_TIMEOUT_MILLIS_KEY,
            DFSConfigKeys.DFS_DN_EC_RECONSTRUCTION_STRIPED_READ_TIMEOUT_MILLIS_DEFAULT);
    String named = conf.getTrimmed(DataNodeKeys.POLICY_FILE.name());
    if (named != null) {
      file.loadAtStart(named);
    }
  }

  private void setRules(DataNodeRules newRules) {
    rules = newRules == null ? DataNodeRules.none() : newRules;
  }

  /**
   * The policy of the DataNode with that configuration. The first call reads it: a malformed key is
   * logged as an error and its default is used; if the policy file cannot be used, nobody is
   * granted more than normal.
   */
  public static DataNodePolicy of(Configuration conf) {
    return POLICIES.get(conf);
  }

  /**
   * Changes a setting of the DataNode with that configuration; the next read follows.
   *
   * @param newValue null for the default
   * @return the value now in force, in text form; null for a key of another part
   * @throws IllegalArgumentException naming the key, the value and what is allowed or wrong; the
   *     old setting stays
   */
  public static String reconfigure(Configuration conf, ConfigKey<?> key, String newValue) {
    DataNodePolicy policy = of(conf);
    if (key == DataNodeKeys.HIGHEST) {
      policy.highest = DataNodeKeys.HIGHEST.parse(newValue);
    } else if (key == DataNodeKeys.RULES) {
      policy.setRules(DataNodeKeys.RULES.parse(newValue));
    } else if (key == DataNodeKeys.WRITE_BEHIND) {
      policy.writeBehind = DataNodeKeys.WRITE_BEHIND.parse(newValue);
    } else if (key == DataNodeKeys.ROLES) {
      policy.roles = DataNodeKeys.ROLES.parse(newValue);
    } else if (key == DataNodeKeys.AUDIT) {
      policy.audit.setFrom(DataNodeKeys.AUDIT.parse(newValue));
    } else if (key == DataNodeKeys.POLICY_FILE) {
      policy.file.load(newValue);
    } else {
      return null;
    }
    return newValue == null ? "" : newValue;
  }

  /** Whether the content of a policy file differs from the policy in force. */
  public static boolean isFileChanged(Configuration conf, String named) {
    return of(conf).file.isChanged(named);
  }

  /** What belongs to no volume of the DataNode. */
  Volume withoutVolume() {
    return withoutVolume;
  }

  /** The priority of what the DataNode does of its own accord; null for none. */
  public IoPriority priorityOf(IoRole role) {
    return roles.of(role);
  }

  /**
   * After how many milliseconds without data such work gives up another DataNode; 0 for HDFS's
   * usual time-outs. A reconstruction reads one source more than it needs for each that is late.
   */
  int patienceMillisOf(IoRole role) {
    return role == IoRole.EC_RECONSTRUCTION ? stripedReadMillis : 0;
  }

  /** {@link DataNodeKeys#WRITE_BEHIND} of a write that begins now. */
  public long writeBehind() {
    return writeBehind;
  }

  /**
   * Decides about a read or write; returns null for the normal priority, and for a request that is
   * observed and needs groups that are not known, which counts as nothing else.
   *
   * @param asked the priority that the request carried; null for none
   * @param targeted whether a latency target would be heeded: only reads of a volume are held whose
   *     reads take turns
   */
  public Admission admit(IoPriority asked, DataNodeRequest request, boolean targeted) {
    AccessPolicy policy = file.policy();
    IoPriority ruled = asked == null ? ruled(policy, request) : null;
    IoPriority wanted = asked != null ? asked : ruled != null ? ruled : IoPriority.NONE;
    boolean needed = !wanted.isNone() || policy.hasTenants() || policy.mayLower(wanted, highest);
    Decision decision = needed ? policy.decide(wanted, highest, request) : null;
    if (decision != null && decision.isWithoutGroups() && !request.isLookedUp()) {
      PriorityMetrics.GROUPS_UNKNOWN.increment();
    }
    if (request.isUndecided()) {
      return null;
    }
    if (ruled != null) {
      PriorityMetrics.RULED.increment();
    }
    if (decision == null) {
      return null;
    }
    setTenant(request, decision, policy);
    if (!targeted) {
      decision = decision.untargeted();
    }
    if (asked != null && !asked.isNone()) {
      PriorityMetrics.ASKED.increment();
    } else if (ruled == null && decision.isLowered() && !decision.isWithoutGroups()) {
      PriorityMetrics.RULED.increment();
    }
    boolean isRejected =
        decision.isTooMuch() && !reportExcess(wanted, ruled != null, decision, request);
    if (isRejected) {
      decision = decision.unstated();
    }
    Admission admission = decision.allowed().isNone() ? null : decision.admit();
    if (admission != null && admission.isCapped()) {
      PriorityMetrics.CAPPED.increment();
    }
    if (audit.isOn() && !wanted.isNone()) {
      audit(isRejected, wanted, admission, request, decision);
    }
    return admission;
  }

  /** What the operator gives to a request that states nothing; null for nothing. */
  private IoPriority ruled(AccessPolicy policy, DataNodeRequest request) {
    IoPriority byKey = rules.match(request);
    return byKey == null ? policy.given(request) : byKey;
  }

  private void setTenant(DataNodeRequest request, Decision decision, AccessPolicy policy) {
    String named = request.namedTenant();
    Tenant tenant = file.tenant(decision, named);
    request.setTenant(tenant);
    if (named != null && policy.hasTenants() && !named.equals(tenant.name())) {
      PriorityMetrics.TENANTS_REFUSED.increment();
      TENANT_LOG.warn(
          () ->
              sender(request)
                  + " may not name tenant "
                  + named
                  + ", and counts for "
                  + tenant
                  + "; "
                  + decision.limit(DataNodeKeys.HIGHEST.name()));
    }
  }

  private void audit(
      boolean isRejected,
      IoPriority wanted,
      Admission admission,
      DataNodeRequest request,
      Decision decision) {
    IoPriority granted = admission == null ? IoPriority.NONE : admission.priority();
    AuditLog.Outcome outcome =
        isRejected ? AuditLog.Outcome.REJECTED : AuditLog.Outcome.of(decision, granted);
    try {
      audit.note(outcome, wanted, granted, request, request.address(), decision);
    } catch (RuntimeException | Error e) {
      if (admission != null) {
        admission.release();
      }
      throw e;
    }
  }

  /**
   * Counts and logs a request for a more urgent priority than allowed; returns false if it is
   * rejected.
   */
  private static boolean reportExcess(
      IoPriority wanted, boolean ruled, Decision decision, DataNodeRequest request) {
    // The priority comes from an operator's rule, so the client must not be rejected for it.
    boolean rejected = decision.mode() == PolicyMode.REJECT && !ruled;
    (rejected ? PriorityMetrics.REJECTED : PriorityMetrics.CLAMPED).increment();
    if (decision.mode() != PolicyMode.IGNORE) {
      CLAMP_LOG.warn(() -> excess(wanted, rejected, decision, request));
    }
    return !rejected;
  }

  static String excess(
      IoPriority wanted, boolean rejected, Decision decision, DataNodeRequest request) {
    return sender(request)
        + " asked for "
        + wanted
        + ", granted "
        + (rejected ? decision.unstated() : decision).allowed()
        + "; "
        + decision.limit(DataNodeKeys.HIGHEST.name());
  }

  private static String sender(DataNodeRequest request) {
    String user = request.user();
    return "Client "
        + Printable.of(request.clientName())
        + (user == null ? "" : " of user " + Printable.of(user))
        + " at "
        + request.address();
  }
}
