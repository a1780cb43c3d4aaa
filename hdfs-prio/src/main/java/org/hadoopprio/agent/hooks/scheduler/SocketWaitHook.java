// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.agent.hooks.scheduler;

import static net.bytebuddy.matcher.ElementMatchers.isStatic;
import static net.bytebuddy.matcher.ElementMatchers.named;

import org.hadoopprio.agent.hooks.HadoopTypes;
import org.hadoopprio.agent.hooks.HookBase;

/**
 * Excludes the wait for a slow client from the time of a packet. SelectorPool has one static {@code
 * select}.
 */
final class SocketWaitHook extends HookBase {

  SocketWaitHook() {
    super("socket-wait", HadoopTypes.SELECTOR_POOL, named("select").and(isStatic()));
  }

  @Override
  public Class<?> advice() {
    return OtherWaitAdvice.class;
  }
}
