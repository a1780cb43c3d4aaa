package org.hadoopprio.agent.hooks;

import static net.bytebuddy.matcher.ElementMatchers.isStatic;
import static net.bytebuddy.matcher.ElementMatchers.named;
import static net.bytebuddy.matcher.ElementMatchers.takesArgument;
import static net.bytebuddy.matcher.ElementMatchers.takesArguments;

import java.util.Map;
import net.bytebuddy.asm.Advice;
import net.bytebuddy.description.method.MethodDescription;
import net.bytebuddy.matcher.ElementMatcher;
import org.hadoopprio.agent.Hook;
import org.hadoopprio.hdfs.client.EnvironmentAttribute;

/** Every HBase connection makes its RPC client here, blocking and asynchronous alike. */
final class ConnectionAttributesHook implements Hook {

  static final String TYPE = "org.apache.hadoop.hbase.ipc.RpcClientFactory";

  @Override
  public String name() {
    return "connection-attribute";
  }

  @Override
  public String typeName() {
    return TYPE;
  }

  @Override
  public ElementMatcher<? super MethodDescription> methods() {
    return named("createClient")
        .and(isStatic())
        .and(takesArguments(5))
        .and(takesArgument(4, Map.class));
  }

  @Override
  public Class<?> advice() {
    return ConnectionAttributesAdvice.class;
  }

  static final class ConnectionAttributesAdvice {
    private ConnectionAttributesAdvice() {}

    @Advice.OnMethodEnter(suppress = Throwable.class)
    static void enter(
        @Advice.Argument(value = 4, readOnly = false) Map<String, byte[]> attributes) {
      attributes = EnvironmentAttribute.addTo(attributes);
    }
  }
}
