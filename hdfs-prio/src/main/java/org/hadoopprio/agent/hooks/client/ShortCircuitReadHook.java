package org.hadoopprio.agent.hooks.client;

import static net.bytebuddy.matcher.ElementMatchers.isPublic;
import static net.bytebuddy.matcher.ElementMatchers.named;

import net.bytebuddy.description.method.MethodDescription;
import net.bytebuddy.matcher.ElementMatcher;
import org.hadoopprio.agent.hooks.HadoopTypes;
import org.hadoopprio.agent.hooks.Hook;

/**
 * A short-circuit read: the calling thread reads the block file itself, without the DataNode, and
 * so sets its own priority. Reads of a memory-mapped block (zero-copy) fault pages outside any call
 * and are not covered.
 */
final class ShortCircuitReadHook implements Hook {

  @Override
  public String name() {
    return "short-circuit-read";
  }

  @Override
  public String typeName() {
    return HadoopTypes.BLOCK_READER_LOCAL;
  }

  @Override
  public ElementMatcher<? super MethodDescription> methods() {
    return named("read").and(isPublic());
  }

  /** One reads into a buffer, the other into an array. */
  @Override
  public int methodCount() {
    return 2;
  }

  @Override
  public Class<?> advice() {
    return LocalReadAdvice.class;
  }
}
