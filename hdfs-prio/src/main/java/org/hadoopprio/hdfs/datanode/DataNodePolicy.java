package org.hadoopprio.hdfs.datanode;

import com.blogspot.mydailyjava.weaklockfree.WeakConcurrentMap;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.hadoopprio.IoPriority;
import org.hadoopprio.RateLimitedLog;
import org.hadoopprio.config.ConfigKey;
import org.hadoopprio.config.HdfsKeys;
import org.hadoopprio.metrics.PriorityMetrics;
import org.hadoopprio.policy.Admission;
import org.hadoopprio.policy.Decision;
import org.hadoopprio.policy.PolicyFile;
import org.hadoopprio.policy.PolicyMode;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What one DataNode makes of a request's priority: its rules for requests without one, its policy,
 * and the highest it grants to whom no policy rule is for. Changeable while the DataNode runs;
 * shared by all DataXceiver threads.
 */
public final class DataNodePolicy {

  private static final Logger LOG = LoggerFactory.getLogger(DataNodePolicy.class);
  private static final RateLimitedLog CLAMP_LOG = new RateLimitedLog(LOG);

  private static final List<ConfigKey<?>> KEYS =
      List.of(HdfsKeys.DATANODE_HIGHEST, HdfsKeys.DATANODE_RULES, HdfsKeys.DATANODE_POLICY);

  /** One policy a configuration, so one a DataNode. */
  private static final WeakConcurrentMap<Configuration, DataNodePolicy> POLICIES =
      new WeakConcurrentMap.WithInlinedExpunction<>() {
        @Override
        protected DataNodePolicy defaultValue(Configuration conf) {
          return new DataNodePolicy(conf);
        }
      };

  private final PolicyFile file = new PolicyFile(HdfsKeys.DATANODE_POLICY);
  private volatile IoPriority highest;
  private volatile DataNodeRules rules;

  private DataNodePolicy(Configuration conf) {
    highest = HdfsKeys.DATANODE_HIGHEST.getOrDefault(conf, LOG);
    setRules(HdfsKeys.DATANODE_RULES.getOrDefault(conf, LOG));
    try {
      String named = conf.getTrimmed(HdfsKeys.DATANODE_POLICY.name());
      if (named != null) {
        file.load(named);
      }
    } catch (IllegalArgumentException e) {
      file.close();
      LOG.error("{}; nobody has more than be:0 until the policy can be read", e.getMessage());
    }
  }

  private void setRules(DataNodeRules newRules) {
    rules = newRules == null ? DataNodeRules.none() : newRules;
  }

  /**
   * The policy of the DataNode with that configuration. At first use a malformed key is logged as
   * an error and its default used; with a policy file that cannot be used nobody has real-time.
   */
  public static DataNodePolicy of(Configuration conf) {
    return POLICIES.get(conf);
  }

  /** Whether {@link #reconfigure} takes a key. */
  static boolean isReconfigurable(String key) {
    return KEYS.stream().anyMatch(k -> k.name().equals(key));
  }

  /** The keys {@link #reconfigure} takes. */
  static List<ConfigKey<?>> reconfigurable() {
    return KEYS;
  }

  /**
   * Changes one of the keys; the next read follows.
   *
   * @param newValue null for the default
   * @throws IllegalArgumentException naming the key, the value and what is allowed or wrong; the
   *     old setting stays
   */
  static void reconfigure(Configuration conf, String key, String newValue) {
    DataNodePolicy policy = of(conf);
    if (key.equals(HdfsKeys.DATANODE_HIGHEST.name())) {
      policy.highest = HdfsKeys.DATANODE_HIGHEST.parse(newValue);
    } else if (key.equals(HdfsKeys.DATANODE_RULES.name())) {
      policy.setRules(HdfsKeys.DATANODE_RULES.parse(newValue));
    } else {
      policy.file.load(newValue);
    }
  }

  /** Whether the policy file that a configuration names holds something new. */
  static boolean isFileChanged(Configuration conf, String named) {
    return of(conf).file.isChanged(named);
  }

  /** Whether a request without a priority may be given one. */
  boolean hasRules() {
    return !rules.isEmpty();
  }

  /**
   * What a read is given, or null for the normal priority.
   *
   * @param asked what the request carried; null for nothing
   */
  public Admission admit(IoPriority asked, DataNodeRequest request) {
    IoPriority wanted = asked;
    if (asked == null) {
      wanted = rules.match(request);
      if (wanted != null) {
        PriorityMetrics.RULED.increment();
      }
    }
    if (wanted == null || wanted.isNone()) {
      return null;
    }
    if (asked != null) {
      PriorityMetrics.ASKED.increment();
    }
    Decision decision = file.policy().decide(wanted, highest, request);
    if (decision.isTooMuch() && !clamped(wanted, asked == null, decision, request)) {
      return null;
    }
    if (decision.allowed().isNone()) {
      return null;
    }
    Admission admission = decision.admit();
    if (admission.isCapped()) {
      PriorityMetrics.CAPPED.increment();
    }
    PriorityMetrics.granted(admission.priority().ioClass()).increment();
    return admission;
  }

  /** Counts and says it; false where nothing at all is to be granted. */
  private static boolean clamped(
      IoPriority wanted, boolean ruled, Decision decision, DataNodeRequest request) {
    // A rule of the operator's own asked for it: nobody is to be turned away.
    boolean rejected = decision.mode() == PolicyMode.REJECT && !ruled;
    (rejected ? PriorityMetrics.REJECTED : PriorityMetrics.CLAMPED).increment();
    if (decision.mode() != PolicyMode.IGNORE) {
      String user = request.user();
      CLAMP_LOG.warn(
          "Client "
              + request.clientName()
              + (user == null ? "" : " of user " + user)
              + " at "
              + request.address()
              + " asked for "
              + wanted
              + ", granted "
              + (rejected ? IoPriority.NONE : decision.allowed())
              + "; "
              + decision.limit(HdfsKeys.DATANODE_HIGHEST.name()));
    }
    return !rejected;
  }
}
