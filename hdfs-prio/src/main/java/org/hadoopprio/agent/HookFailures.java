// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.agent;

import org.hadoopprio.log.RateLimitedLog;
import org.hadoopprio.metrics.PriorityMetrics;
import org.slf4j.LoggerFactory;

/**
 * Handles exceptions inside advice: the hooked method continues as if there were no hook.
 * Thread-safe.
 */
public final class HookFailures {

  private static final RateLimitedLog LOG =
      new RateLimitedLog(LoggerFactory.getLogger(HookFailures.class));

  private HookFailures() {}

  /** Counts and logs a failure; called from woven code. */
  public static void record(Throwable failure) {
    PriorityMetrics.FAILED.increment();
    LOG.warn("A hook failed; the read continues without its priority: " + failure);
  }
}
