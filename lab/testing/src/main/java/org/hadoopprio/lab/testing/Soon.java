// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.lab.testing;

import static org.awaitility.Awaitility.await;

import java.time.Duration;
import org.awaitility.core.ConditionFactory;

/** Waits for what other threads of the same JVM do in a moment, if at all. */
public final class Soon {

  private static final Duration POLL = Duration.ofMillis(1);

  /** A busy machine needs seconds; no test that waits may take less than 30. */
  private static final Duration PATIENCE = Duration.ofSeconds(20);

  private Soon() {}

  /**
   * The beginning of a wait. An exception that ends another thread does not end it: some tests
   * throw one there on purpose.
   *
   * @param what what fails the test if it does not come to pass
   */
  public static ConditionFactory soon(String what) {
    return await(what).pollInterval(POLL).atMost(PATIENCE).dontCatchUncaughtExceptions();
  }
}
