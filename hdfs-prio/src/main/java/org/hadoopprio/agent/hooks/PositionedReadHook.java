package org.hadoopprio.agent.hooks;

import static net.bytebuddy.matcher.ElementMatchers.named;

import java.util.Map;
import net.bytebuddy.asm.Advice;
import net.bytebuddy.description.method.MethodDescription;
import net.bytebuddy.matcher.ElementMatcher;
import org.apache.hadoop.hdfs.DFSClient;
import org.hadoopprio.IoPriority;
import org.hadoopprio.agent.Hook;
import org.hadoopprio.hdfs.client.ClientReads;

/**
 * A positioned read, on the caller's thread or a hedged read's: binds the client's default priority
 * for what a short-circuit reader does after the block has been opened.
 */
final class PositionedReadHook implements Hook {

  @Override
  public String name() {
    return "positioned-read";
  }

  @Override
  public String typeName() {
    return DfsInputStream.TYPE;
  }

  @Override
  public ElementMatcher<? super MethodDescription> methods() {
    return named("actualGetFromOneDataNode");
  }

  @Override
  public Map<String, String> fields() {
    return Map.of(DfsInputStream.CLIENT_FIELD, DfsInputStream.CLIENT_TYPE);
  }

  @Override
  public Class<?> advice() {
    return PositionedReadAdvice.class;
  }

  static final class PositionedReadAdvice {
    private PositionedReadAdvice() {}

    @Advice.OnMethodEnter(suppress = Throwable.class)
    static IoPriority enter(@Advice.FieldValue(DfsInputStream.CLIENT_FIELD) DFSClient client) {
      return ClientReads.enter(client);
    }

    @Advice.OnMethodExit(onThrowable = Throwable.class, suppress = Throwable.class)
    static void exit(@Advice.Enter IoPriority entered) {
      ClientReads.leave(entered);
    }
  }
}
