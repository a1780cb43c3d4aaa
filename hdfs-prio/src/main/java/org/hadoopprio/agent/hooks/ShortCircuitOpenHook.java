package org.hadoopprio.agent.hooks;

import static net.bytebuddy.matcher.ElementMatchers.named;
import static net.bytebuddy.matcher.ElementMatchers.takesNoArguments;

import net.bytebuddy.description.method.MethodDescription;
import net.bytebuddy.matcher.ElementMatcher;
import org.hadoopprio.agent.Hook;

/**
 * Opening a replica for short-circuit reads: the calling thread reads the checksum file's header.
 * Threads that the replica cache starts meanwhile inherit the priority; they only work on sockets.
 */
final class ShortCircuitOpenHook implements Hook {

  @Override
  public String name() {
    return "short-circuit-open";
  }

  @Override
  public String typeName() {
    return "org.apache.hadoop.hdfs.client.impl.BlockReaderFactory";
  }

  @Override
  public ElementMatcher<? super MethodDescription> methods() {
    return named("getBlockReaderLocal").and(takesNoArguments());
  }

  @Override
  public Class<?> advice() {
    return LocalReadAdvice.class;
  }
}
