// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.agent.hooks.datanode;

import static net.bytebuddy.matcher.ElementMatchers.named;
import static net.bytebuddy.matcher.ElementMatchers.takesArgument;

import java.util.Map;
import net.bytebuddy.asm.Advice;
import net.bytebuddy.description.method.MethodDescription;
import net.bytebuddy.matcher.ElementMatcher;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.ReplicaOutputStreams;
import org.hadoopprio.agent.hooks.HadoopTypes;
import org.hadoopprio.agent.hooks.Hook;
import org.hadoopprio.hdfs.datanode.DataNodeWrites;

/** A sync of a block's files, for a client that waits for it, begins and ends. */
final class SyncBlockHook implements Hook {

  private static final String STREAMS = "streams";

  @Override
  public String name() {
    return "sync-block";
  }

  @Override
  public String typeName() {
    return HadoopTypes.BLOCK_RECEIVER;
  }

  /** It is called after each packet, mostly without a sync. */
  @Override
  public ElementMatcher<? super MethodDescription> methods() {
    return named("flushOrSync").and(takesArgument(0, boolean.class));
  }

  @Override
  public Map<String, String> fields() {
    return Map.of(STREAMS, HadoopTypes.REPLICA_OUTPUT_STREAMS);
  }

  @Override
  public Class<?> advice() {
    return SyncBlockAdvice.class;
  }

  static final class SyncBlockAdvice {
    private SyncBlockAdvice() {}

    @Advice.OnMethodEnter(suppress = Throwable.class)
    static void enter(
        @Advice.FieldValue(STREAMS) ReplicaOutputStreams streams,
        @Advice.Argument(0) boolean isSync) {
      if (isSync) {
        DataNodeWrites.syncBegins(streams.getOutFd());
      }
    }

    @Advice.OnMethodExit(onThrowable = Throwable.class, suppress = Throwable.class)
    static void exit(@Advice.Argument(0) boolean isSync) {
      if (isSync) {
        DataNodeWrites.syncEnds();
      }
    }
  }
}
