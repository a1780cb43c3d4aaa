package org.hadoopprio.agent.hooks;

import static net.bytebuddy.matcher.ElementMatchers.isStatic;
import static net.bytebuddy.matcher.ElementMatchers.named;

import net.bytebuddy.description.method.MethodDescription;
import net.bytebuddy.matcher.ElementMatcher;
import org.hadoopprio.agent.Hook;

/** A client that takes its bytes slowly does not keep the disk busy. */
final class SocketWaitHook implements Hook {

  @Override
  public String name() {
    return "socket-wait";
  }

  @Override
  public String typeName() {
    return "org.apache.hadoop.net.SocketIOWithTimeout$SelectorPool";
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
