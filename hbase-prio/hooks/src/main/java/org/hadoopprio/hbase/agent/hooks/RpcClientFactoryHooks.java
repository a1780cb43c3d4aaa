// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.hbase.agent.hooks;

import static net.bytebuddy.matcher.ElementMatchers.isStatic;
import static net.bytebuddy.matcher.ElementMatchers.named;
import static net.bytebuddy.matcher.ElementMatchers.takesArguments;
import static org.hadoopprio.off.AgentModule.HBASE_CLIENT;

import java.util.Map;
import net.bytebuddy.asm.Advice;
import org.hadoopprio.agent.hooks.TypeHooks;
import org.hadoopprio.hbase.delegate.EnvironmentAttribute;

/** Makes the RPC client of a connection. */
public final class RpcClientFactoryHooks extends TypeHooks {

  public static final String RPC_CLIENT_FACTORY = "org.apache.hadoop.hbase.ipc.RpcClientFactory";

  public RpcClientFactoryHooks() {
    in(RPC_CLIENT_FACTORY);
    // Every connection, blocking or asynchronous, creates its client through this overload.
    hook(
        HBASE_CLIENT,
        "connection-attribute",
        named("createClient").and(isStatic()).and(takesArguments(5)),
        "Attributes");
  }

  /** Adds the attribute to a connection's RPC client. */
  static final class Attributes {
    @Advice.OnMethodEnter(suppress = Throwable.class)
    static void enter(
        @Advice.Argument(value = 4, readOnly = false) Map<String, byte[]> attributes) {
      attributes = EnvironmentAttribute.addTo(attributes);
    }
  }
}
