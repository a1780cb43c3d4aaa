package org.hadoopprio.hbase.regionserver;

import java.util.EnumMap;
import java.util.Map;
import org.apache.hadoop.hbase.ipc.RpcCall;
import org.hadoopprio.IoPriority;
import org.hadoopprio.RateLimitedLog;
import org.hadoopprio.hbase.config.HBaseKeys;
import org.hadoopprio.metrics.PriorityMetrics;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Counts and logs the hints that were not followed as stated. A log line appears at most once a
 * minute for each kind and source: anyone who may read can cause them.
 */
final class HintProblems {

  private static final Logger LOG = LoggerFactory.getLogger(HintProblems.class);
  private static final Map<PrioritySource, RateLimitedLog> MALFORMED = logs();
  private static final Map<PrioritySource, RateLimitedLog> CLAMPED = logs();

  private HintProblems() {}

  /**
   * A hint that cannot be read was ignored.
   *
   * @param call the call it came with; null for a table's
   * @param why says what the hint was and what is allowed
   */
  static void malformed(PrioritySource source, RpcCall call, String why) {
    PriorityMetrics.MALFORMED.increment();
    MALFORMED.get(source).warn("Ignored the " + source + from(call) + ": " + why);
  }

  /** A hint asked for more than is granted. */
  static void clamped(PrioritySource source, RpcCall call, IoPriority asked, IoPriority granted) {
    PriorityMetrics.CLAMPED.increment();
    CLAMPED
        .get(source)
        .warn(
            "The "
                + source
                + from(call)
                + " asks for "
                + asked
                + "; granted "
                + granted
                + ", the limit of "
                + HBaseKeys.HIGHEST.name());
  }

  private static String from(RpcCall call) {
    return call == null
        ? ""
        : " from "
            + call.getRequestUserName().orElse("unknown user")
            + " at "
            + call.getRemoteAddress();
  }

  private static Map<PrioritySource, RateLimitedLog> logs() {
    Map<PrioritySource, RateLimitedLog> logs = new EnumMap<>(PrioritySource.class);
    for (PrioritySource source : PrioritySource.values()) {
      logs.put(source, new RateLimitedLog(LOG));
    }
    return logs;
  }
}
