// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.agent.hooks.scheduler;

import static net.bytebuddy.matcher.ElementMatchers.isStatic;
import static net.bytebuddy.matcher.ElementMatchers.named;

import net.bytebuddy.description.method.MethodDescription;
import net.bytebuddy.matcher.ElementMatcher;
import org.hadoopprio.agent.hooks.HadoopTypes;
import org.hadoopprio.agent.hooks.Hook;

/**
 * Excludes the wait for a slow client from the time of a packet. SelectorPool has one static {@code
 * select}.
 */
final class SocketWaitHook implements Hook {

  @Override
  public String name() {
    return "socket-wait";
  }

  @Override
  public String typeName() {
    return HadoopTypes.SELECTOR_POOL;
  }

  @Override
  public ElementMatcher<? super MethodDescription> methods() {
    return named("select").and(isStatic());
  }

  @Override
  public Class<?> advice() {
    return OtherWaitAdvice.class;
  }
}
