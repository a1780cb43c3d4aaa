// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.agent.hooks.scheduler;

import static net.bytebuddy.matcher.ElementMatchers.named;
import static net.bytebuddy.matcher.ElementMatchers.takesArguments;

import org.hadoopprio.agent.hooks.HadoopTypes;
import org.hadoopprio.agent.hooks.HookBase;

/**
 * Excludes the wait for a slow client from the time of a packet that goes through a domain socket
 * (dfs.client.domain.socket.data.traffic): its write waits in the kernel. The packet has been read
 * by then, because sendfile is for TCP only.
 */
final class DomainSocketWriteHook extends HookBase {

  /** The other one writes a single byte. */
  DomainSocketWriteHook() {
    super(
        "domain-socket-write",
        HadoopTypes.DOMAIN_OUTPUT_STREAM,
        named("write").and(takesArguments(3)));
  }

  @Override
  public Class<?> advice() {
    return OtherWaitAdvice.class;
  }
}
