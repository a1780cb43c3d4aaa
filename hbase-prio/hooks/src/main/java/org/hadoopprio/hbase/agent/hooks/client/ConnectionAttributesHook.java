// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.hbase.agent.hooks.client;

import static net.bytebuddy.matcher.ElementMatchers.isStatic;
import static net.bytebuddy.matcher.ElementMatchers.named;
import static net.bytebuddy.matcher.ElementMatchers.takesArgument;
import static net.bytebuddy.matcher.ElementMatchers.takesArguments;

import java.util.Map;
import net.bytebuddy.asm.Advice;
import net.bytebuddy.description.method.MethodDescription;
import net.bytebuddy.matcher.ElementMatcher;
import org.hadoopprio.agent.hooks.HookBase;
import org.hadoopprio.hbase.agent.hooks.HBaseTypes;
import org.hadoopprio.hbase.delegate.EnvironmentAttribute;

/**
 * Adds the attribute to a connection's RPC client. Every HBase connection, blocking or
 * asynchronous, creates its client through this overload, the only one with five parameters.
 */
final class ConnectionAttributesHook extends HookBase {

  ConnectionAttributesHook() {
    super("connection-attribute", HBaseTypes.RPC_CLIENT_FACTORY);
  }

  @Override
  public ElementMatcher<? super MethodDescription> methods() {
    return named("createClient")
        .and(isStatic())
        .and(takesArguments(5))
        .and(takesArgument(4, Map.class));
  }

  static final class ConnectionAttributesAdvice {
    @Advice.OnMethodEnter(suppress = Throwable.class)
    static void enter(
        @Advice.Argument(value = 4, readOnly = false) Map<String, byte[]> attributes) {
      attributes = EnvironmentAttribute.addTo(attributes);
    }
  }
}
