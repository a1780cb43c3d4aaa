// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.agent.hooks.scheduler;

import static net.bytebuddy.matcher.ElementMatchers.named;
import static net.bytebuddy.matcher.ElementMatchers.takesArguments;

import net.bytebuddy.description.method.MethodDescription;
import net.bytebuddy.matcher.ElementMatcher;
import org.hadoopprio.agent.hooks.HadoopTypes;
import org.hadoopprio.agent.hooks.Hook;

/**
 * Excludes the sleep of reads with a bandwidth limit (block scanner, balancer) from the time of a
 * packet.
 */
final class ThrottlerWaitHook implements Hook {

  @Override
  public String name() {
    return "throttler-wait";
  }

  @Override
  public String typeName() {
    return HadoopTypes.DATA_TRANSFER_THROTTLER;
  }

  /** The overload that the other one, with one parameter, calls. */
  @Override
  public ElementMatcher<? super MethodDescription> methods() {
    return named("throttle").and(takesArguments(2));
  }

  @Override
  public Class<?> advice() {
    return OtherWaitAdvice.class;
  }
}
