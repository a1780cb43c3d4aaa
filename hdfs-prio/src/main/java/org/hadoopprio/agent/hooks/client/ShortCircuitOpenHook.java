package org.hadoopprio.agent.hooks.client;

import static net.bytebuddy.matcher.ElementMatchers.named;
import static net.bytebuddy.matcher.ElementMatchers.takesNoArguments;

import net.bytebuddy.description.method.MethodDescription;
import net.bytebuddy.matcher.ElementMatcher;
import org.hadoopprio.agent.hooks.HadoopTypes;
import org.hadoopprio.agent.hooks.Hook;

/**
 * Opens a replica for short-circuit reads, when the calling thread reads the header of the checksum
 * file. Threads that the replica cache starts meanwhile inherit the priority, but they only use
 * sockets.
 */
final class ShortCircuitOpenHook implements Hook {

  @Override
  public String name() {
    return "short-circuit-open";
  }

  @Override
  public String typeName() {
    return HadoopTypes.BLOCK_READER_FACTORY;
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
