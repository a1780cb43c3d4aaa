package org.hadoopprio.agent.hooks;

import static net.bytebuddy.matcher.ElementMatchers.isPublic;
import static net.bytebuddy.matcher.ElementMatchers.named;

import net.bytebuddy.description.method.MethodDescription;
import net.bytebuddy.matcher.ElementMatcher;
import org.hadoopprio.agent.Hook;

/**
 * A short-circuit read: no DataNode is asked, the calling thread reads the block file and sets its
 * own priority. Reads of a memory-mapped block (zero-copy) fault pages outside any call and are not
 * covered.
 */
final class ShortCircuitReadHook implements Hook {

  @Override
  public String name() {
    return "short-circuit-read";
  }

  @Override
  public String typeName() {
    return "org.apache.hadoop.hdfs.client.impl.BlockReaderLocal";
  }

  @Override
  public ElementMatcher<? super MethodDescription> methods() {
    return named("read").and(isPublic());
  }

  /** Into a buffer, and into an array. */
  @Override
  public int methodCount() {
    return 2;
  }

  @Override
  public Class<?> advice() {
    return LocalReadAdvice.class;
  }
}
