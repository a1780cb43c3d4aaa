// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.agent.hooks.scheduler;

import static net.bytebuddy.matcher.ElementMatchers.named;
import static net.bytebuddy.matcher.ElementMatchers.takesArguments;

import net.bytebuddy.description.method.MethodDescription;
import net.bytebuddy.matcher.ElementMatcher;
import org.hadoopprio.agent.hooks.HadoopTypes;
import org.hadoopprio.agent.hooks.Hook;

/**
 * Excludes the wait for a slow client from the time of a packet that goes through a domain socket
 * (dfs.client.domain.socket.data.traffic): its write waits in the kernel. The packet has been read
 * by then, because sendfile is for TCP only.
 */
final class DomainSocketWriteHook implements Hook {

  @Override
  public String name() {
    return "domain-socket-write";
  }

  @Override
  public String typeName() {
    return HadoopTypes.DOMAIN_OUTPUT_STREAM;
  }

  /** The other one writes a single byte. */
  @Override
  public ElementMatcher<? super MethodDescription> methods() {
    return named("write").and(takesArguments(3));
  }

  @Override
  public Class<?> advice() {
    return OtherWaitAdvice.class;
  }
}
