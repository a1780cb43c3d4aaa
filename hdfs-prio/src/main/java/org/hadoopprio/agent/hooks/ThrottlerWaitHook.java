package org.hadoopprio.agent.hooks;

import static net.bytebuddy.matcher.ElementMatchers.named;
import static net.bytebuddy.matcher.ElementMatchers.takesArguments;

import net.bytebuddy.description.method.MethodDescription;
import net.bytebuddy.matcher.ElementMatcher;
import org.hadoopprio.agent.Hook;

/** Reads with a bandwidth of their own (block scanner, balancer) sleep inside a packet's time. */
final class ThrottlerWaitHook implements Hook {

  @Override
  public String name() {
    return "throttler-wait";
  }

  @Override
  public String typeName() {
    return "org.apache.hadoop.hdfs.util.DataTransferThrottler";
  }

  /** The one the other calls. */
  @Override
  public ElementMatcher<? super MethodDescription> methods() {
    return named("throttle").and(takesArguments(2));
  }

  @Override
  public Class<?> advice() {
    return OtherWaitAdvice.class;
  }
}
