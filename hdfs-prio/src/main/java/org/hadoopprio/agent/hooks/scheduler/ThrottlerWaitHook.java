// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.agent.hooks.scheduler;

import static net.bytebuddy.matcher.ElementMatchers.named;
import static net.bytebuddy.matcher.ElementMatchers.takesArguments;

import org.hadoopprio.agent.hooks.HadoopTypes;
import org.hadoopprio.agent.hooks.HookBase;

/**
 * Excludes the sleep of reads with a bandwidth limit (block scanner, balancer) from the time of a
 * packet.
 */
final class ThrottlerWaitHook extends HookBase {

  /** The overload that the other one, with one parameter, calls. */
  ThrottlerWaitHook() {
    super(
        "throttler-wait",
        HadoopTypes.DATA_TRANSFER_THROTTLER,
        named("throttle").and(takesArguments(2)));
  }

  @Override
  public Class<?> advice() {
    return OtherWaitAdvice.class;
  }
}
