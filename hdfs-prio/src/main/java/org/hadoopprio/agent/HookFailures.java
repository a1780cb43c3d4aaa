package org.hadoopprio.agent;

import org.hadoopprio.RateLimitedLog;
import org.hadoopprio.metrics.PriorityMetrics;
import org.slf4j.LoggerFactory;

/** Where an exception inside advice ends: the hooked method goes on as if there were no hook. */
public final class HookFailures {

  private static final RateLimitedLog LOG =
      new RateLimitedLog(LoggerFactory.getLogger(HookFailures.class));

  private HookFailures() {}

  /** Counts and logs; called from woven code. */
  public static void record(Throwable failure) {
    PriorityMetrics.FAILED.increment();
    LOG.warn("A hook failed, the read goes on without its priority: " + failure);
  }
}
