package org.hadoopprio.agent.hooks.client;

import static net.bytebuddy.matcher.ElementMatchers.named;

import java.util.Map;
import net.bytebuddy.asm.Advice;
import net.bytebuddy.description.method.MethodDescription;
import net.bytebuddy.matcher.ElementMatcher;
import org.apache.hadoop.hdfs.DFSClient;
import org.hadoopprio.IoPriority;
import org.hadoopprio.agent.hooks.HadoopTypes;
import org.hadoopprio.agent.hooks.Hook;
import org.hadoopprio.hdfs.client.ClientReads;

/**
 * A positioned read of an erasure-coded file. Binds the client's default priority for the parts of
 * the stripe, which threads of a pool read ({@link StripePartHook}).
 */
final class StripedPositionedReadHook implements Hook {

  @Override
  public String name() {
    return "striped-positioned-read";
  }

  @Override
  public String typeName() {
    return HadoopTypes.DFS_STRIPED_INPUT_STREAM;
  }

  @Override
  public ElementMatcher<? super MethodDescription> methods() {
    return named("fetchBlockByteRange");
  }

  @Override
  public Map<String, String> fields() {
    return Map.of(HadoopTypes.DFS_INPUT_STREAM_CLIENT, HadoopTypes.DFS_CLIENT);
  }

  @Override
  public Class<?> advice() {
    return StripedPositionedReadAdvice.class;
  }

  static final class StripedPositionedReadAdvice {
    private StripedPositionedReadAdvice() {}

    @Advice.OnMethodEnter(suppress = Throwable.class)
    static IoPriority enter(
        @Advice.FieldValue(HadoopTypes.DFS_INPUT_STREAM_CLIENT) DFSClient client) {
      return ClientReads.enter(client);
    }

    @Advice.OnMethodExit(onThrowable = Throwable.class, suppress = Throwable.class)
    static void exit(@Advice.Enter IoPriority entered) {
      ClientReads.leave(entered);
    }
  }
}
