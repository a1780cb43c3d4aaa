// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.hbase.regionserver;

import java.util.EnumMap;
import java.util.Map;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.ipc.RpcCall;
import org.hadoopprio.IoPriority;
import org.hadoopprio.hbase.config.HBaseKeys;
import org.hadoopprio.log.Printable;
import org.hadoopprio.log.RateLimitedLog;
import org.hadoopprio.metrics.PriorityMetrics;
import org.hadoopprio.policy.Decision;
import org.hadoopprio.policy.PolicyMode;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Counts and logs hints that were not followed as stated. Any user who may read can cause these
 * lines, so each kind and source logs at most one a minute. Thread-safe.
 */
final class HintProblems {

  private static final Logger LOG = LoggerFactory.getLogger(HintProblems.class);
  private static final Map<PrioritySource, RateLimitedLog> MALFORMED = logs();
  private static final Map<PrioritySource, RateLimitedLog> CLAMPED = logs();

  private static final RateLimitedLog REJECTED = new RateLimitedLog(LOG);
  private static final RateLimitedLog FAILED = new RateLimitedLog(LOG);

  private HintProblems() {}

  /**
   * Reports a hint that was ignored because it is malformed.
   *
   * @param call the call that carried it; null for a table's value
   * @param why the hint and what is allowed
   */
  static void malformed(PrioritySource source, RpcCall call, String why) {
    PriorityMetrics.MALFORMED.increment();
    MALFORMED.get(source).warn("Ignored the " + source + from(call) + ": " + why);
  }

  /** Reports a hint that asked for more than is granted. */
  static void clamped(PrioritySource source, RpcCall call, IoPriority asked, Decision decision) {
    PriorityMetrics.CLAMPED.increment();
    if (decision.mode() != PolicyMode.IGNORE) {
      CLAMPED
          .get(source)
          .warn(
              "The "
                  + source
                  + from(call)
                  + " asks for "
                  + asked
                  + "; granted "
                  + decision.allowed()
                  + ", "
                  + decision.limit(HBaseKeys.HIGHEST.name()));
    }
  }

  /**
   * Reports a hint that asked for more than is granted where the policy rejects the operation;
   * returns the exception to throw.
   */
  static DoNotRetryIOException rejected(
      PrioritySource source, RpcCall call, IoPriority asked, Decision decision) {
    PriorityMetrics.REJECTED.increment();
    String message =
        "I/O priority "
            + asked
            + " is not allowed ("
            + source
            + from(call)
            + "): "
            + decision.limit(HBaseKeys.HIGHEST.name());
    REJECTED.warn(message);
    return new DoNotRetryIOException(message);
  }

  /** Reports that this module's own code failed; the request goes on without it. */
  static void failed(Throwable failure) {
    PriorityMetrics.FAILED.increment();
    FAILED.warn("Could not determine or apply the priority of a request: " + failure);
  }

  private static String from(RpcCall call) {
    return call == null
        ? ""
        : " from "
            + Printable.of(call.getRequestUserName().orElse("unknown user"))
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
