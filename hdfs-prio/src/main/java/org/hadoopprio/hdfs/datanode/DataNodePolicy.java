package org.hadoopprio.hdfs.datanode;

import org.apache.hadoop.conf.Configuration;
import org.hadoopprio.IoPriority;
import org.hadoopprio.RateLimitedLog;
import org.hadoopprio.config.HdfsKeys;
import org.hadoopprio.metrics.PriorityMetrics;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What one DataNode makes of a request's priority: its rules for requests without one, and the
 * highest it grants. Immutable; shared by all DataXceiver threads.
 */
public final class DataNodePolicy {

  private static final Logger LOG = LoggerFactory.getLogger(DataNodePolicy.class);
  private static final RateLimitedLog CLAMP_LOG = new RateLimitedLog(LOG);

  private final IoPriority highest;
  private final DataNodeRules rules;

  private DataNodePolicy(IoPriority highest, DataNodeRules rules) {
    this.highest = highest;
    this.rules = rules;
  }

  /** Reads the policy; a malformed key is logged as an error and its default used. */
  public static DataNodePolicy of(Configuration conf) {
    IoPriority highest = HdfsKeys.DATANODE_HIGHEST.getOrDefault(conf, LOG);
    DataNodeRules rules = HdfsKeys.DATANODE_RULES.getOrDefault(conf, LOG);
    return new DataNodePolicy(highest, rules == null ? DataNodeRules.none() : rules);
  }

  /** Whether a request without a priority may be given one. */
  boolean hasRules() {
    return !rules.isEmpty();
  }

  /**
   * The priority a read is done at, or null for the normal one.
   *
   * @param asked what the request carried; null for nothing
   */
  public IoPriority grant(IoPriority asked, DataNodeRequest request) {
    IoPriority wanted = asked;
    if (wanted == null) {
      wanted = rules.match(request);
      if (wanted != null) {
        PriorityMetrics.RULED.increment();
      }
    }
    if (wanted == null || wanted.isNone()) {
      return null;
    }
    IoPriority granted = wanted.atMost(highest);
    if (!granted.equals(wanted)) {
      PriorityMetrics.CLAMPED.increment();
      CLAMP_LOG.warn(
          "Client "
              + request.clientName()
              + " at "
              + request.address()
              + " asked for "
              + wanted
              + ", granted "
              + granted
              + "; "
              + HdfsKeys.DATANODE_HIGHEST.name()
              + " is "
              + highest);
    }
    if (granted.isNone()) {
      return null;
    }
    PriorityMetrics.granted(granted.ioClass()).increment();
    return granted;
  }
}
